#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# fetch-i386.sh FOLDER PACKAGE...: Debian's 32-bit packages, unpacked, not installed
#
# The machine's settings stay as they are: apt works with lists and an architecture
# of its own. What is there already is not fetched again. Programs are started by
# FOLDER/run PROGRAM ARGUMENT..., which uses the libraries of the folder.
set -eu
folder=$1
shift
mkdir -p "$folder/apt/lists/partial" "$folder/apt/archives/partial"
cd "$folder"
here=$PWD

if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
    echo "fetch-i386: no apt-get or dpkg-deb here" >&2
    exit 1
fi
i386_apt() {
    apt-get -qq -o APT::Architecture=i386 -o APT::Architectures=i386 \
        -o Dir::State::Lists="$here/apt/lists" -o Dir::Cache="$here/apt" \
        -o APT::Sandbox::User= "$@"
}
updated=
for package in libc6 "$@"; do
    [ ! -e "apt/$package.done" ] || continue
    if [ -z "$updated" ]; then
        i386_apt update >&2 || : # a list that is missing shows below
        updated=yes
    fi
    (cd apt/archives && i386_apt download "$package") >&2
    dpkg-deb -x "$(ls apt/archives/"$package"_*_i386.deb)" .
    touch "apt/$package.done"
done

cat >run <<EOF
#!/bin/sh
exec '$here/lib/ld-linux.so.2' --library-path \
'$here/usr/lib/i386-linux-gnu:$here/lib/i386-linux-gnu' "\$@"
EOF
chmod +x run
