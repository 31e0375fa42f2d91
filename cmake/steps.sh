# Steps shared by ./run and ./test, which source this file. A step reports what it does, is silent if there is nothing
# to do, and on failure shows the relevant lines and a one-line summary.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
logs=$root/build/log

build_packages="cmake ninja-build g++ ccache libeigen3-dev nlohmann-json3-dev libcli11-dev"
test_packages="libgtest-dev libpugixml-dev libbenchmark-dev clang-22 lld-22 libclang-rt-22-dev locales valgrind"

habit_packages="git clang-format-22 clang-tidy-22"
wasm_packages="cmake ninja-build ccache libeigen3-dev nlohmann-json3-dev clang-22 lld-22 wasi-libc libc++-22-dev-wasm32 libc++abi-22-dev-wasm32 libclang-rt-22-dev-wasm32"
browser_packages="chromium"
python_packages="python3-venv python3-dev"

# Tests that ./test runs under the sanitizers: readers of untrusted bytes, the C interface, code with manual indexing, and
# the laws, whose random problems go through the whole solver. ./test --full runs all tests.
sanitized_tests="base/|binding/|document/(marker_set|reach|report|scene|strength)/|motion_script_test|figure/|format/|fuzz/"
sanitized_tests+="|goal/|kinematics/|lanes/|law/[a-z]*_law|problem/assembly|program/"

say() { printf '==> %s\n' "$*"; }
fail() { printf '==> FAILED: %s\n' "$*" >&2; return 1; }

# install_packages NAME...: checks the installed packages first, and runs apt only for missing ones.
install_packages() {
  local name missing=()
  if ! command -v dpkg-query >/dev/null; then
    say "No Debian package list here; taking for granted: $*"
    return 0
  fi
  for name in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0

  say "Installing: ${missing[*]}"
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Acquire::Retries=3)
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      { fail "installing needs root or sudo; as root: apt-get install ${missing[*]}"; return 1; }
    apt=(sudo "${apt[@]}")
  fi
  mkdir -p "$logs"
  if ! { "${apt[@]}" update && "${apt[@]}" install --no-install-recommends "${missing[@]}"; } \
      >"$logs/install.txt" 2>&1; then
    tail -n 15 "$logs/install.txt"
    fail "installing ${missing[*]}"
  fi
}

# Whether the preset's build folder is usable.
is_configured() {
  local folder=$root/build/$1
  [ -f "$folder/build.ninja" ] && [ ! "$root/CMakePresets.json" -nt "$folder/build.ninja" ] && ! is_foreign "$1"
}

# A build folder copied with the tree still refers to the old path.
is_foreign() {
  local cache=$root/build/$1/CMakeCache.txt
  [ -f "$cache" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"
}

# configure PRESET [CMAKE OPTION...]
configure() {
  local preset=$1 cache=$root/build/$1/CMakeCache.txt log=$logs/configure.$1.txt
  mkdir -p "$logs"
  if is_foreign "$preset"; then
    say "Starting afresh: build/$preset belongs to another folder"
    rm -rf "${root:?}/build/$preset"
  fi
  [ -f "$cache" ] || say "Configuring: $preset"
  if ! cmake -S "$root" --preset "$@" >"$log" 2>&1; then
    tail -n 30 "$log"
    fail "configuring $preset"
  fi
}

# build PRESET [TARGET...]: one line of progress every ten seconds; the whole output is in build/log/.
build() {
  local preset=$1 log=$logs/build.$1.txt line started=$SECONDS shown=-1 worked=no
  shift
  mkdir -p "$logs"
  local command=(cmake --build "$root/build/$preset" --parallel "$(nproc)")
  [ $# -eq 0 ] || command+=(--target "$@")
  : >"$log"
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$log"
    [[ $line =~ ^\[[1-9][0-9]*/[0-9]+\] ]] || continue
    [ $worked = yes ] || say "Building: $preset"
    worked=yes
    if [ $shown -lt 0 ] || [ $((SECONDS - shown)) -ge 10 ]; then
      printf '    %s\n' "${line:0:110}"
      shown=$SECONDS
    fi
  done < <("${command[@]}" 2>&1; printf '\nexit %d\n' $?)

  if [ "$(tail -n 1 "$log")" != "exit 0" ]; then
    show_build_failure "$log"
    fail "building $preset: $(failed_names "$log")"
    return 1
  fi
  [ $worked = no ] || printf '    %d s\n' $((SECONDS - started))
}

# make_locale: creates a locale with a decimal comma in build/locale.
make_locale() {
  [ -d "$root/build/locale/de_DE.UTF-8" ] && return 0
  mkdir -p "$root/build/locale" "$logs"
  localedef -i de_DE -f UTF-8 "$root/build/locale/de_DE.UTF-8" >"$logs/locale.txt" 2>&1 ||
    { tail -n 5 "$logs/locale.txt"; fail "making a locale"; }
}

# From the first failure on, without the long command lines.
show_build_failure() {
  local from
  from=$(grep -n -m 1 '^FAILED: ' "$1" | cut -d : -f 1)
  if [ -n "$from" ]; then
    tail -n +"$from" "$1" | grep -v -E '^(/|: && )[^ ]*(cmake|ccache|[cg]\+\+|clang)[^ ]* .{200}|^exit ' |
      head -n 60
  else
    tail -n 30 "$1"
  fi | cut -c 1-400
}

failed_names() {
  local names
  names=$(sed -n -E 's/^FAILED: (CMakeFiles\/[^ ]*\.dir\/)?([^ ]*).*/\2/p' "$1" |
    sed 's/\.o$//' | sort -u | head -n 5 | paste -s -d ' ')
  printf '%s' "${names:-see ${1#"$root"/}}"
}

# The editor: the WebAssembly module, then one HTML file, build/editor/limber.html.
build_editor() {
  install_packages $wasm_packages || return 1
  install_packages $(node_packages) || return 1
  install_node_packages & local packages=$!  # while the compilers work
  configure wasm && build wasm || return 1
  wait "$packages" || return 1
  say "Building: editor"
  if ! (cd "$root" && npx --no-install vite build app/editor) >"$logs/editor.txt" 2>&1; then
    tail -n 20 "$logs/editor.txt"
    fail "building the editor"
  fi
}

# Existing installations are kept.
node_packages() { { command -v node && command -v npm; } >/dev/null || echo nodejs npm; }

install_node_packages() {
  local stamp=$root/node_modules/.package-lock.json
  [ -f "$stamp" ] && [ ! "$root/package-lock.json" -nt "$stamp" ] && return 0
  say "Installing: packages of the editor"
  # Not `npm ci`: that also requires the packages of other platforms.
  if ! (cd "$root" && npm install --no-save --no-progress && touch "$stamp") >"$logs/npm.txt" 2>&1; then
    tail -n 15 "$logs/npm.txt"
    fail "npm install"
  fi
}

# The Python package, installed into the environment build/python. It contains the library and the tool of build/release.
# The binding is not optimized, so that it builds quickly; the library in it is.
build_python() {
  local environment=$root/build/python stamp=$root/build/python/.complete log=$logs/python.txt
  install_packages $build_packages $python_packages || return 1
  is_configured release || configure release -D LIMBER_TESTS=OFF -D LIMBER_EXAMPLES=OFF || return 1
  build release limber limber_tool || return 1
  mkdir -p "$logs"
  if ! cmp -s "$root/binding/python/requirements.txt" "$stamp" || [ "$(sed -n 's/^home_of=//p' "$environment/home" 2>/dev/null)" != "$root" ]; then
    say "Installing: packages of the Python environment"
    rm -rf "$environment"
    if ! { python3 -m venv "$environment" &&
           "$environment/bin/pip" install -q --disable-pip-version-check -r "$root/binding/python/requirements.txt"; } \
        >"$log" 2>&1; then
      tail -n 15 "$log"
      fail "installing packages of the Python environment"
      return 1
    fi
    printf 'home_of=%s\n' "$root" >"$environment/home"
    cp "$root/binding/python/requirements.txt" "$stamp"
  fi
  say "Building: Python package"
  if ! (cd "$root" && "$environment/bin/pip" install -q --disable-pip-version-check --no-build-isolation --no-deps \
          --force-reinstall --config-settings build-dir=build/python/cmake --config-settings cmake.define.LIMBER_TESTED_BUILD="$root/build/release" \
          --config-settings cmake.define.LIMBER_TOOL=OFF --config-settings build.targets="limber_python;limber_stub" \
          --config-settings cmake.define.LIMBER_PYTHON_OPTIMIZE=-O0 --config-settings cmake.define.LIMBER_WERROR=ON .) >"$log" 2>&1; then
    grep -E -A 10 'error|FAILED' "$log" | cut -c 1-400 | head -n 60
    tail -n 5 "$log"
    fail "building the Python package"
  fi
}

# liblimber_cuda.so, by the compiler of limber/cuda/requirements.txt in the environment build/cuda/python. No GPU is needed.
build_cuda() {
  local folder=$root/build/cuda list=$root/limber/cuda/requirements.txt nvcc
  install_packages $build_packages $python_packages || return 1
  if ! cmp -s "$list" "$folder/complete"; then
    rm -rf "$folder/python"
    python3 -m venv "$folder/python" && "$folder/python/bin/pip" install -q --disable-pip-version-check -r "$list" || return 1
    cp "$list" "$folder/complete"
  fi
  nvcc=$(echo "$folder"/python/lib/python3*/site-packages/nvidia/cu13/bin/nvcc)
  if is_foreign cuda/cmake; then rm -rf "$folder/cmake"; fi
  cmake -S "$root" -B "$folder/cmake" -G Ninja -D CMAKE_BUILD_TYPE=Release -D CMAKE_CXX_COMPILER=g++ -D LIMBER_CUDA=ON \
    -D LIMBER_NVCC="$nvcc" -D LIMBER_TOOL=OFF -D LIMBER_TESTS=OFF -D LIMBER_BENCH=OFF -D LIMBER_EXAMPLES=OFF &&
    cmake --build "$folder/cmake" --target limber_cuda
}
