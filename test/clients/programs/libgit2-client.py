"""libgit2, by pygit2, as a client on the command line; run by test/clients, which says what each operation must do:

clone URL FOLDER [DEPTH] · fetch FOLDER [DEPTH] · push FOLDER BRANCH, with the token in GIT_CLIENT_TOKEN, and for
SSH the path of a private key in GIT_CLIENT_KEY.
"""

import os
import sys

import pygit2

UNSHALLOW = 0x7FFFFFFF


class Callbacks(pygit2.RemoteCallbacks):
    """Offers its one credential once: a server that refuses it would be asked again and again."""

    offered = False

    def credentials(self, url, username_from_url, allowed_types):
        if self.offered:
            raise pygit2.Passthrough
        self.offered = True
        key = os.environ.get("GIT_CLIENT_KEY")
        if key is not None:
            return pygit2.Keypair(username_from_url, f"{key}.pub", key, "")
        token = os.environ.get("GIT_CLIENT_TOKEN")
        if token is None:
            raise pygit2.Passthrough
        return pygit2.UserPass("x", token)

    def certificate_check(self, certificate, valid, host):
        return True  # the host key of a server that was started a moment ago

    def sideband_progress(self, string):
        sys.stderr.write(f"remote: {string}")

    def push_update_reference(self, refname, message):
        if message is not None:
            raise ValueError(f"{refname}: {message}")


def read_depth(args):
    return min(int(args[0]), UNSHALLOW) if args else 0


def clone(url, folder, *depth):
    pygit2.clone_repository(url, folder, callbacks=Callbacks(), depth=read_depth(depth))


def fetch(folder, *depth):
    pygit2.Repository(folder).remotes["origin"].fetch(callbacks=Callbacks(), depth=read_depth(depth))


def push(folder, branch):
    ref = f"refs/heads/{branch}"
    pygit2.Repository(folder).remotes["origin"].push([f"{ref}:{ref}"], callbacks=Callbacks())


try:
    {"clone": clone, "fetch": fetch, "push": push}[sys.argv[1]](*sys.argv[2:])
except Exception as error:  # whatever a person would see
    sys.exit(f"{type(error).__name__}: {error}")
