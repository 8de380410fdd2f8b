# packages.sh: the packages that building and testing need, by the names that Debian 12, Debian 13 and Ubuntu 24.04 share, sourced by
# ./run and ./test. tools/need says what >= and ? mean.
# shellcheck shell=bash disable=SC2034

build_packages=(gcc libc6-dev 'meson>=1.0' ninja-build pkg-config libcairo2-dev libev-dev 'libjansson-dev>=2.14' libjpeg-dev
    libpixman-1-dev libpng-dev libpq-dev 'librsvg2-dev>=2.54' libsodium-dev libsqlite3-dev libssl-dev libwebp-dev 'libwebsockets-dev>=4.1'
    libwebsockets-evlib-ev python3 zlib1g-dev)

# To build for another architecture of Debian: its compiler, and our libraries for it.
cross_packages() { # ARCHITECTURE
    local name
    echo "crossbuild-essential-$1" "pkg-config:$1"
    for name in "${build_packages[@]%%>=*}"; do
        [[ $name != lib* && $name != zlib* ]] || echo "$name:$1"
    done
}

# clang's sanitizer and fuzzer runtimes come on top: their package's name carries clang's version, see ./test.
test_packages=(binutils clang clang-format clang-tidy etcd-server haproxy libcmocka-dev lld llvm openssl patroni postgresql python3-etcd
    python3-jsonschema systemd valgrind)

# The web client. A newer Node.js from elsewhere, with its own npm, serves as well.
web_packages=()
command -v node >/dev/null && command -v npm >/dev/null || web_packages=('nodejs>=18' npm)

# The engine in the page is built for WebAssembly. clang's runtime for it comes on top, see tools/wasm.
# The drawings of the ocean are made by a program of the machine that builds.
engine_packages=(clang gcc libc6-dev lld pkg-config wasi-libc libcairo2-dev libjansson-dev librsvg2-dev zlib1g-dev 'meson>=1.0' ninja-build python3)

# What the page is tested in, as far as the system has it as a package: Ubuntu's are snaps, which tools/browser finds once they are installed.
browser_packages=('chromium-headless-shell?' 'firefox-esr?' fonts-dejavu-core)
