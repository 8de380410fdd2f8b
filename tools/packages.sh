# packages.sh: the Debian packages that building and testing need, sourced by ./run and ./test.
# shellcheck shell=bash disable=SC2034

build_packages=(gcc libc6-dev meson ninja-build pkg-config libcairo2-dev libev-dev libjansson-dev libjpeg62-turbo-dev
    libpixman-1-dev libpng-dev libpq-dev librsvg2-dev libsodium-dev libsqlite3-dev libssl-dev libwebp-dev libwebsockets-dev
    libwebsockets-evlib-ev python3 zlib1g-dev)

# clang's sanitizer and fuzzer runtimes come on top: their package's name carries clang's version, see ./test.
test_packages=(binutils clang clang-format haproxy libcmocka-dev lld llvm openssl postgresql python3-jsonschema systemd valgrind)

# The web client, and the browser that it is tested with. A newer Node.js from elsewhere, with its own npm, serves as well.
web_packages=()
command -v node >/dev/null && command -v npm >/dev/null || web_packages=(nodejs npm)

# The engine in the page is built for WebAssembly. clang's runtime for it comes on top, see tools/wasm.
# The drawings of the ocean are made by a program of the machine that builds.
engine_packages=(clang gcc libc6-dev lld pkg-config wasi-libc libcairo2-dev libjansson-dev librsvg2-dev zlib1g-dev meson ninja-build python3)

browser_packages=(chromium-headless-shell fonts-dejavu-core)
