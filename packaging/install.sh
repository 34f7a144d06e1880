#!/bin/sh
# install.sh [--prefix DIR]           installs Assay: for you alone into ~/.local, as root for all users into /usr/local
# install.sh --remove [--prefix DIR]  removes exactly what was installed
set -eu
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)

remove=
prefix=
while [ $# -gt 0 ]; do
	case $1 in
		--prefix) prefix=${2:?a folder}; shift ;;
		--remove) remove=yes ;;
		*) sed -n '2,3p' "$0" >&2; exit 2 ;;
	esac
	shift
done
if [ -n "$prefix" ]; then
	case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
	prefix=${prefix%/}
elif [ -f "$here/installed" ]; then # this is the copy that was installed
	prefix=${here%/share/assay}
elif [ "$(id -u)" = 0 ]; then
	prefix=/usr/local
else
	prefix=$HOME/.local
fi
# The list of installed paths below the prefix, one per line. A folder ends in a slash and comes before its content.
list=share/assay/installed

# register writes the desktop's files below this folder. They contain the path of the program.
export XDG_DATA_HOME="$prefix/share"

drop() { # removes the paths on stdin, from the last to the first, and only empty folders
	sed '1!G;h;$!d' | while read -r path; do
		case $path in
			'') ;;
			*/) rmdir "$prefix/${path#./}" 2>/dev/null || true ;;
			*) rm -f "$prefix/$path" ;;
		esac
	done
}

if [ -n "$remove" ]; then
	[ -f "$prefix/$list" ] || { echo "Assay is not installed in $prefix" >&2; exit 1; }
	[ ! -x "$prefix/bin/assay" ] || "$prefix/bin/assay" unregister
	paths=$(cat "$prefix/$list")
	echo "$paths" | drop
	exit
fi

cd "$here"
[ -f bin/assay ] || { echo "Run install.sh from the unpacked archive" >&2; exit 1; }
version=$(bin/assay --version 2>&1) || { printf '%s\nNothing was installed: See README.txt for the requirements of Assay.\n' "$version" >&2; exit 1; }

make_folder() { # makes a folder and its parents below the prefix, and prints the new ones
	[ ! -d "$prefix/$1" ] || return 0
	[ "$1" = . ] || make_folder "$(dirname "$1")"
	mkdir -p "$prefix/$1"
	echo "$1/"
}

old=$(cat "$prefix/$list" 2>/dev/null || true)
new=$(
	echo "$old" | grep '/$' || true
	find bin share -type f | while read -r file; do
		make_folder "$(dirname "$file")"
		rm -f "$prefix/$file" # a program that is running keeps its old file
		cp -p "$file" "$prefix/$file"
		echo "$file"
	done
	echo "$list"
)
echo "$new" >"$prefix/$list"
# Remove the files that only the older version had.
echo "$old" | while read -r path; do echo "$new" | grep -qxF -e "$path" || echo "$path"; done | drop

"$prefix/bin/assay" register
echo "Installed $version in $prefix. To remove it: $prefix/share/assay/install.sh --remove"
case :$PATH: in
	*:"$prefix/bin":*) ;;
	*) echo "Add $prefix/bin to PATH to start it as assay" ;;
esac
case ":$HOME/.local/share:${XDG_DATA_DIRS:-/usr/local/share:/usr/share}:" in
	*":$prefix/share:"* | *":$prefix/share/:"*) ;;
	*) echo "Add $prefix/share to XDG_DATA_DIRS to register Assay with the desktop" ;;
esac
