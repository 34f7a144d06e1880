#!/bin/sh
# install.sh [--prefix DIR]           installs Assay: for you alone into ~/.local, as root for everybody into /usr/local
# install.sh --remove [--prefix DIR]  takes back exactly that
set -eu
cd "$(dirname "$0")"

prefix=$HOME/.local
[ "$(id -u)" != 0 ] || prefix=/usr/local
remove=
while [ $# -gt 0 ]; do
	case $1 in
		--prefix) prefix=${2:?a folder}; shift ;;
		--remove) remove=yes ;;
		*) sed -n '2,3p' "$0" >&2; exit 2 ;;
	esac
	shift
done
mkdir -p "$prefix"
prefix=$(cd "$prefix" && pwd)

# register writes the desktop's files below this folder, with the path of the program in them.
export XDG_DATA_HOME="$prefix/share"

if [ -n "$remove" ]; then
	[ ! -x "$prefix/bin/assay" ] || "$prefix/bin/assay" unregister
	find bin share -type f | while read -r file; do rm -f "$prefix/$file"; done
	find bin share -depth -type d | while read -r folder; do rmdir "$prefix/$folder" 2>/dev/null || true; done
	exit
fi

find bin share -type f | while read -r file; do
	mkdir -p "$prefix/$(dirname "$file")"
	# A program that is running keeps its old file.
	rm -f "$prefix/$file"
	cp -p "$file" "$prefix/$file"
done
"$prefix/bin/assay" register
case :$PATH: in
	*:"$prefix/bin":*) ;;
	*) echo "Add $prefix/bin to PATH to start it as assay" ;;
esac
