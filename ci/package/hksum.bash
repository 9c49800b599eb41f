# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# bash completion for hksum: its options and algorithms come from hksum itself

_hksum()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local help names

    COMPREPLY=()
    help=$("${COMP_WORDS[0]}" --help 2>/dev/null) || return
    names=$(grep -Eo '^ +(sha|sip)[a-z0-9_ ]+$' <<<"$help")
    case $before in
    -a | --algorithm)
        mapfile -t COMPREPLY < <(compgen -W "$names" -- "$word")
        return
        ;;
    --kernel)
        names=$("${COMP_WORDS[0]}" --list 2>/dev/null | awk 'NR > 1 { print $1 }')
        mapfile -t COMPREPLY < <(compgen -W "$names" -- "$word")
        return
        ;;
    esac
    if [[ $word == -* ]]; then
        names=$(grep -Eo -- '--[a-z-]+=?|(^| )-[a-z],' <<<"$help" | tr -d ' ,')
        mapfile -t COMPREPLY < <(compgen -W "$names" -- "$word")
        [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace
    else
        compopt -o default -o filenames
    fi
}
complete -F _hksum hksum
