#!/bin/sh
# The git first in PATH as a client on the command line; run by test/clients, which says what each operation must do:
# clone URL FOLDER [DEPTH] · fetch FOLDER [DEPTH] · push FOLDER BRANCH, with the token in GIT_CLIENT_TOKEN.
set -eu
operation=$1
shift
# Only names are on the command line: the token stays in the environment.
helper='!f() { test "$1" = get && echo username=x && echo "password=$GIT_CLIENT_TOKEN"; }; f'
[ -z "${GIT_CLIENT_TOKEN:-}" ] && helper=
case $operation in
clone) exec git -c credential.helper="$helper" clone ${3:+--depth="$3"} --no-single-branch "$1" "$2" ;;
fetch) exec git -C "$1" -c credential.helper="$helper" fetch ${2:+--depth="$2"} origin ;;
push) exec git -C "$1" -c credential.helper="$helper" push origin "refs/heads/$2:refs/heads/$2" ;;
esac
