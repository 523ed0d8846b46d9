// go-git as a client on the command line; run by test/clients, which says what each operation must do:
// clone URL FOLDER [DEPTH] · fetch FOLDER [DEPTH] · push FOLDER BRANCH, with the token in GIT_CLIENT_TOKEN, and for
// SSH the path of a private key in GIT_CLIENT_KEY.
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing/transport"
	"github.com/go-git/go-git/v5/plumbing/transport/http"
	"github.com/go-git/go-git/v5/plumbing/transport/ssh"
	cryptossh "golang.org/x/crypto/ssh"
)

func main() {
	if err := run(os.Args[1], os.Args[2:]); err != nil && !errors.Is(err, git.NoErrAlreadyUpToDate) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(operation string, args []string) error {
	auth, err := readCredential()
	if err != nil {
		return err
	}
	if operation == "clone" {
		depth, err := readDepth(args[2:])
		if err != nil {
			return err
		}
		_, err = git.PlainClone(args[1], false, &git.CloneOptions{
			URL: args[0], Auth: auth, Depth: depth, Progress: os.Stderr,
		})
		return err
	}
	repository, err := git.PlainOpen(args[0])
	if err != nil {
		return err
	}
	switch operation {
	case "fetch":
		depth, err := readDepth(args[1:])
		if err != nil {
			return err
		}
		return repository.Fetch(&git.FetchOptions{Auth: auth, Depth: depth, Progress: os.Stderr})
	case "push":
		ref := "refs/heads/" + args[1]
		return repository.Push(&git.PushOptions{
			Auth: auth, Progress: os.Stderr, RefSpecs: []config.RefSpec{config.RefSpec(ref + ":" + ref)},
		})
	}
	return fmt.Errorf("no operation %s", operation)
}

func readDepth(args []string) (int, error) {
	if len(args) == 0 {
		return 0, nil
	}
	return strconv.Atoi(args[0])
}

func readCredential() (transport.AuthMethod, error) {
	if file := os.Getenv("GIT_CLIENT_KEY"); file != "" {
		keys, err := ssh.NewPublicKeysFromFile("git", file, "")
		if err != nil {
			return nil, err
		}
		// The host key of a server that was started a moment ago.
		keys.HostKeyCallback = cryptossh.InsecureIgnoreHostKey()
		return keys, nil
	}
	if token := os.Getenv("GIT_CLIENT_TOKEN"); token != "" {
		return &http.BasicAuth{Username: "x", Password: token}, nil
	}
	return nil, nil
}
