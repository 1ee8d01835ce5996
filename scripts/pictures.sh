#!/usr/bin/env bash
# Makes the pictures in README and docs: scripts/pictures.sh. Needs Chromium; takes four minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
chromium=${DBSCHED_CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)}
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
go build -o "$work/dbsched" ./cmd/dbsched
PATH=$work:$PATH

# load writes a plan whose tasks wait, most for some minutes: load NAME
load() {
    task() { printf '  - {sql: "/* %s */ WAITFOR DELAY '\''00:%02d:00'\'';"}\n' "$1" "$2"; }
    printf 'process: %s\non-error: Continue\nwaves:\n' "$1"
    printf -- '- order: 100\n  tasks:\n'
    for t in "customers 21" "orders 34" "items 47" "prices 12" "stock 18" "returns 9" "suppliers 15"; do task "extract ${t% *}" "${t#* }"; done
    printf -- '- order: 200\n  tasks:\n'
    for t in "customer 14" "product 22" "date 6" "store 11"; do task "load dim_${t% *}" "${t#* }"; done
    [ "$1" = "nightly load" ] && echo '  - {sql: "SELECT 1 / 0 AS margin;"}'
    printf -- '- order: 300\n  tasks:\n'
    for t in "sales 38" "returns 17"; do task "load fact_${t% *}" "${t#* }"; done
    printf -- '- order: 400\n  tasks:\n'
    task "refresh reports" 16
}

# shoot takes a picture: shoot ADDRESS FILE HEIGHT
shoot() {
    "$chromium" --headless --no-sandbox --hide-scrollbars --force-device-scale-factor=1 --window-size="1200,$3" --timeout=5000 \
        --screenshot="docs/images/$2" "$1" >/dev/null 2>&1
}

# serve starts a sandbox with a clock: serve CLOCK
serve() {
    dbsched sandbox --clock "$1" >"$work/$1.dsn" 2>/dev/null &
    until [ -s "$work/$1.dsn" ]; do sleep 0.1; done
    DBSCHED_DSN=$(cat "$work/$1.dsn")
    export DBSCHED_DSN
    dbsched install --lanes 4 -q >/dev/null
    dbsched policy RoundRobin -q
    dbsched start -q
}

mkdir -p docs/images
serve fast

load "nightly load" >"$work/plan.yaml"
dbsched run "$work/plan.yaml" --wait --timeout 4h -q >/dev/null || true
dbsched timeline "nightly load" --html "$work/timeline.html" -q
shoot "file://$work/timeline.html" timeline.png 620

# The console shows tasks that run now: real time, in which a minute of the plan is a second.
serve real
for name in "sales mart" "stock mart"; do
    load "$name" | sed "s/'00:\\(..\\):00'/'00:00:\\1'/" >"$work/plan.yaml"
    dbsched run "$work/plan.yaml" -q >/dev/null
done
dbsched console --listen 127.0.0.1:0 >"$work/console" 2>&1 &
dbsched wait "stock mart" --timeout 72s -q >/dev/null 2>&1 || true
shoot "$(grep -o 'http[^ ]*' "$work/console")" console.png 780

for dialect in mssql oracle; do
    dbsched sandbox --dialect "$dialect" >"$work/$dialect.dsn" 2>/dev/null &
    until [ -s "$work/$dialect.dsn" ]; do sleep 0.1; done
    dbsched certify --dsn "$(cat "$work/$dialect.dsn")" --yes --quick --invasive --html "$work/$dialect.html" >/dev/null
    shoot "file://$work/$dialect.html" "certify-$dialect.png" 1100
done
