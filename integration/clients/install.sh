#!/usr/bin/env bash
# Installs the client libraries that the programs beside it use into a folder: install.sh FOLDER
# Everything has a hash here, and no package runs a script of its own. LOCK=1 install.sh writes the hashes anew, for what requirements.in,
# package.json and pom.xml name.
set -euo pipefail
folder=${1:-$(mktemp -d)}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
jars() { # FOLDER OPTION…: the plugin's version is fixed, too
  mvn -q -B -f "$here/pom.xml" "${@:2}" org.apache.maven.plugins:maven-dependency-plugin:2.8:copy-dependencies -DoutputDirectory="$folder/$1"
}

if [ -n "${LOCK:-}" ]; then
  uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -o "$here/requirements.txt" "$here/requirements.in"
  (cd "$here" && npm install --package-lock-only --ignore-scripts)
fi

if python3 -m venv "$folder/venv"; then
  "$folder/venv/bin/pip" install --quiet --require-hashes --no-deps -r "$here/requirements.txt"
else
  echo "skipped: Python's libraries, for want of python3 with venv" >&2
fi
[ -n "$(ls /usr/lib/*/odbc/libtdsodbc.so 2>/dev/null)" ] || echo "skipped: pyodbc, for want of the packages unixodbc and tdsodbc" >&2

if command -v npm >/dev/null; then
  cp "$here/package.json" "$here/package-lock.json" "$folder/"
  npm ci --silent --ignore-scripts --prefix "$folder"
else
  echo "skipped: JavaScript's libraries, for want of npm" >&2
fi

if command -v mvn >/dev/null; then
  jars jars
  jars jars-ojdbc8 -Dojdbc=ojdbc8 -Dojdbc.version=19.25.0.0
  cd "$folder"
  sha256sum jars/*.jar jars-ojdbc8/*.jar | LC_ALL=C sort -k 2 >jars.sha256
  [ -z "${LOCK:-}" ] || cp jars.sha256 "$here/"
  diff "$here/jars.sha256" jars.sha256 || { echo "these Java libraries are not those of jars.sha256" >&2; exit 1; }
else
  echo "skipped: Java's libraries, for want of mvn" >&2
fi
