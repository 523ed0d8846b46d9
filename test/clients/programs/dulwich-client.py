"""dulwich as a client on the command line; run by test/clients, which says what each operation must do:

clone URL FOLDER [DEPTH] · fetch FOLDER [DEPTH] · push FOLDER BRANCH, with the token in GIT_CLIENT_TOKEN. Over SSH
it runs the ssh of GIT_SSH_COMMAND.
"""

import os
import sys

from dulwich import porcelain

token = os.environ.get("GIT_CLIENT_TOKEN")
credentials = {} if token is None else {"username": "x", "password": token}


def read_depth(args):
    return int(args[0]) if args else None


def clone(url, folder, *depth):
    porcelain.clone(url, folder, depth=read_depth(depth), errstream=sys.stderr.buffer, **credentials)


def fetch(folder, *depth):
    porcelain.fetch(folder, "origin", depth=read_depth(depth), errstream=sys.stderr.buffer, **credentials)


def push(folder, branch):
    ref = f"refs/heads/{branch}"
    result = porcelain.push(folder, "origin", f"{ref}:{ref}", errstream=sys.stderr.buffer, **credentials)
    if any((result.ref_status or {}).values()):
        sys.exit(1)  # it has said why, and raises nothing


try:
    {"clone": clone, "fetch": fetch, "push": push}[sys.argv[1]](*sys.argv[2:])
except Exception as error:  # whatever a person would see
    sys.exit(f"{type(error).__name__}: {error}")
