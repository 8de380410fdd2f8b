# debian.sh: the Debians that we make roots of, and where their packages come from, sourced by tools/fresh-root and tools/image.
# shellcheck shell=bash

suite_of() { # debian12|debian13
    case $1 in
    debian12) echo bookworm ;;
    debian13) echo trixie ;;
    *) fail "$1 is neither debian12 nor debian13" ;;
    esac
}

# Where apt gets Debian from here.
mirror() { # LABEL
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Label: $1" | sed -n 1p
}

sources() { # SUITE
    local main=${FATHOM_MIRROR:-$(mirror Debian)} security=${FATHOM_SECURITY_MIRROR:-$(mirror Debian-Security)}
    local signed='[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]'
    [[ -n $main ]] || fail 'apt has no mirror of Debian here: FATHOM_MIRROR=http://… names one'
    echo "deb $signed $main $1 main"
    echo "deb $signed $main $1-updates main"
    [[ -z $security ]] || echo "deb $signed $security $1-security main"
}
