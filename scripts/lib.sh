# The one place that makes .venv and installs the project, and what its tests need from npm. Sourced by the other scripts:
#   . "$(dirname "${BASH_SOURCE[0]}")/lib.sh"; install core    (or: install dev)
# It changes to the repository's root. `PYTHON` names another interpreter.

cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf 'graphtalk: %s\n' "$*" >&2; }

# The first interpreter that is new enough.
find_python() {
  local python
  for python in ${PYTHON:-python3 python3.13 python3.12 python3.11 python}; do
    if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$python"
      return
    fi
  done
  say "Python 3.11 or newer is needed; none of these is: ${PYTHON:-python3 python3.13 python3.12 python3.11 python}"
  return 1
}

# What an environment was made from: where it stands and what it had to install.
fingerprint() { { pwd; cat pyproject.toml; echo "${GRAPHTALK_TORCH:-}${GRAPHTALK_LOCKED:-}"; } | cksum; }

# GRAPHTALK_LOCKED=1 takes the versions that the tests ran with (scripts/release lock).
# Most of what is installed is never imported, so in CI, where nothing else will use it, Python compiles what is, when
# it is.
pip_install() {
  .venv/bin/python -m pip install -qq ${CI:+--no-compile} --disable-pip-version-check \
    ${GRAPHTALK_LOCKED:+--constraint scripts/lock.txt} "$@"
}

# What torch to install, besides the project: nothing where .venv has one already.
# Default wheels of torch bring gigabytes of CUDA libraries, so a machine without a GPU wants its own index:
#   GRAPHTALK_TORCH="torch==2.13.0 --index-url https://download.pytorch.org/whl/cpu"
# That index has nothing else, so such a torch is installed by itself, before what needs it.
# Nothing in core needs torch, so `install core` never installs it.
missing_torch() {
  if [[ -n "${GRAPHTALK_TORCH:-}" ]]; then
    say "installing $GRAPHTALK_TORCH"
    # shellcheck disable=SC2086  # several words on purpose
    pip_install $GRAPHTALK_TORCH >&2  # what this function prints is what to install
  elif ! .venv/bin/python -c 'import torch' 2>/dev/null; then
    echo torch==2.13.0
  fi
}

# install core|dev: idempotent, and only a comparison where nothing changed. `dev` contains `core`.
install() {
  local want=$1 python stamp torch=
  for stamp in ".venv/.installed-$want" .venv/.installed-dev; do
    if [[ -f $stamp && "$(cat "$stamp")" == "$(fingerprint)" ]]; then return; fi
  done
  if ! .venv/bin/python -c 'import pip' 2>/dev/null; then
    python=$(find_python)
    say "making .venv with $("$python" --version)"
    "$python" -m venv --clear .venv
    pip_install --upgrade pip  # an older one, which Python may bring, takes longer to choose versions
  fi
  if [[ $want == dev ]]; then torch=$(missing_torch); fi
  say "installing ($want)"
  # shellcheck disable=SC2086  # no word where there is nothing to add
  if [[ $want == core ]]; then pip_install --editable .; else pip_install $torch --editable ".[$want]"; fi
  fingerprint > ".venv/.installed-$want"
}

# The MCP Inspector, which tests/test_mcp_inspector.py drives: where there is npm, and once for each lock file. No script of a
# package is run. It asks for a newer node than its command line needs, which npm warns of at most.
install_inspector() {
  local folder=tests/inspector
  local installed=$folder/node_modules/.installed-from
  if ! command -v npm >/dev/null || cmp -s $folder/package-lock.json $installed; then return; fi
  say "installing the MCP Inspector"
  if npm ci --prefix $folder --omit=optional --ignore-scripts --engine-strict=false --prefer-offline \
    --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000 --no-audit --no-fund --loglevel=error >&2; then
    cp $folder/package-lock.json $installed
  else
    say "the MCP Inspector cannot be installed: its tests are skipped, and fail in CI"
  fi
}
