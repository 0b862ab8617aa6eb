#!/bin/sh
# Installs docs from the folder of a release, for the user who runs it. Nothing is installed whose SHA-256 is not the one
# in SHA256SUMS.
#
#   sh install.sh [--from <folder or address>] [--prefix <folder>] [--sum <sha256 of SHA256SUMS>] [--tarball]
#
# Without --from it takes the files that lie beside it.
set -eu

say() { printf '%s\n' "$*" >&2; }
fail() { say "error: $*"; say 'Nothing was installed.'; exit 1; }
usage() { say "error: $*"; say 'usage: install.sh [--from <folder or address>] [--prefix <folder>] [--sum <sha256>] [--tarball]'; exit 2; }

from=${DOCS_RELEASE:-$(dirname -- "$0")}
prefix=${HOME:-}/.local
sum=
tarball=no
while [ $# -gt 0 ]; do
  case $1 in
    --from | --prefix | --sum)
      [ $# -gt 1 ] || usage "$1 takes a value"
      case $1 in --from) from=$2 ;; --prefix) prefix=$2 ;; --sum) sum=$2 ;; esac
      shift 2
      ;;
    --tarball) tarball=yes; shift ;;
    -h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) usage "unknown argument \"$1\"" ;;
  esac
done
case $prefix in /*) ;; [A-Za-z]:*) ;; *) prefix=$PWD/$prefix ;; esac

work=$(mktemp -d "${TMPDIR:-/tmp}/docs-install.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# get <name>: puts a file of the release into the work folder.
get() {
  case $from in
    http://* | https://*)
      if command -v curl >/dev/null 2>&1; then
        curl --fail --silent --show-error --location --output "$work/$1" "${from%/}/$1"
      elif command -v wget >/dev/null 2>&1; then
        wget --quiet --output-document="$work/$1" "${from%/}/$1"
      else
        fail 'curl or wget is required'
      fi
      ;;
    *) cp -- "$from/$1" "$work/$1" ;;
  esac || fail "cannot get $1 from $from"
}

# sum_of <file>: its SHA-256.
sum_of() {
  if command -v sha256sum >/dev/null 2>&1; then sha256sum <"$1"
  elif command -v shasum >/dev/null 2>&1; then shasum -a 256 <"$1"
  elif command -v openssl >/dev/null 2>&1; then openssl dgst -sha256 -r <"$1"
  else fail 'sha256sum, shasum or openssl is required'; fi | cut -d ' ' -f 1
}

# listed <pattern>: the first file in SHA256SUMS whose whole name matches.
listed() { sed -n "s/^[0-9a-f]\{64\}  \($1\)\$/\1/p" "$work/SHA256SUMS" | head -n 1; }

# take <name>: gets a file and checks its sum.
take() {
  wanted=$(awk -v name="$1" '$2 == name { print $1 }' "$work/SHA256SUMS")
  [ -n "$wanted" ] || fail "$1 is not in SHA256SUMS"
  get "$1"
  found=$(sum_of "$work/$1")
  [ "$found" = "$wanted" ] || fail "$1 has the sum $found, and SHA256SUMS says $wanted"
}

# The name of the program without Node for this machine; none where there is none for it.
platform() {
  case $(uname -s) in
    Linux) system=linux ;;
    Darwin) system=darwin ;;
    MINGW* | MSYS* | CYGWIN*) system=windows ;;
    *) return 0 ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) machine=x64 ;;
    aarch64 | arm64) machine=arm64 ;;
    *) return 0 ;;
  esac
  # The programs for Linux need glibc.
  if [ $system = linux ] && ldd --version 2>&1 | grep -qi musl; then return 0; fi
  ending=
  [ $system != windows ] || ending=.exe
  printf 'docs-%s-%s%s\n' $system $machine $ending
}

get SHA256SUMS
if [ -n "$sum" ]; then
  found=$(sum_of "$work/SHA256SUMS")
  [ "$found" = "$sum" ] || fail "SHA256SUMS has the sum $found, and --sum says $sum"
fi
name=$(platform)
[ "$tarball" = no ] && [ -n "$name" ] && name=$(listed "$name") || name=
archive=$(listed 'docs-cli-docs-[0-9][0-9A-Za-z.-]*\.tgz')
[ -n "$archive" ] || fail 'SHA256SUMS names no tarball'
take "$archive"

if [ -z "$name" ]; then
  command -v npm >/dev/null 2>&1 || fail 'there is no program without Node for this machine, and no npm to install the tarball'
  npm install --global --ignore-scripts --no-audit --no-fund --prefix "$prefix" "$work/$archive" >&2 ||
    fail 'npm failed to install the tarball'
  say "Installed docs with npm in $prefix."
else
  take "$name"
  tar -xzf "$work/$archive" -C "$work" package/docs/man
  case $name in *.exe) program=docs.exe ;; *) program=docs ;; esac
  mkdir -p "$prefix/bin" "$prefix/share/man/man1"
  chmod 755 "$work/$name"
  # Beside its place first: the last step replaces a program that may be running.
  cp -- "$work/$name" "$prefix/bin/.$program.new"
  mv -f -- "$prefix/bin/.$program.new" "$prefix/bin/$program"
  cp -- "$work"/package/docs/man/*.1 "$prefix/share/man/man1/"
  say "Installed $prefix/bin/$program, and its man pages in $prefix/share/man."
fi
case :$PATH: in *":$prefix/bin:"*) ;; *) say "Add $prefix/bin to PATH." ;; esac
say 'For completion, run "docs completion <shell> --install".'
