#!/usr/bin/env bash
# Installs the client libraries that the programs beside it use into a folder: install.sh FOLDER
set -euo pipefail
folder=$1
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"

if python3 -m venv "$folder/venv"; then
  "$folder/venv/bin/pip" install --quiet -r "$here/requirements.txt"
else
  echo "skipped: Python's libraries, for want of python3 with venv" >&2
fi
[ -n "$(ls /usr/lib/*/odbc/libtdsodbc.so 2>/dev/null)" ] || echo "skipped: pyodbc, for want of the packages unixodbc and tdsodbc" >&2

if command -v npm >/dev/null; then
  cp "$here/package.json" "$folder/"
  npm install --silent --legacy-peer-deps --prefix "$folder" # TypeORM names other versions of databases it is not used with
else
  echo "skipped: JavaScript's libraries, for want of npm" >&2
fi

if command -v mvn >/dev/null; then
  mvn -q -B -f "$here/pom.xml" dependency:copy-dependencies -DoutputDirectory="$folder/jars"
  mvn -q -B -f "$here/pom.xml" -Dojdbc=ojdbc8 -Dojdbc.version=19.25.0.0 dependency:copy-dependencies -DoutputDirectory="$folder/jars-ojdbc8"
else
  echo "skipped: Java's libraries, for want of mvn" >&2
fi
