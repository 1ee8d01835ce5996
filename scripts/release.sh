#!/usr/bin/env bash
# Builds the release into a folder: scripts/release.sh v0.1.0 dist
# For each platform one archive of dbsched, without the sandbox engines, and one of dbsched-sandbox, with them, and the SBOM of each; checksums.
# PLATFORMS="linux/amd64" and PROGRAMS="dbsched" build less. The same commit gives the same bytes.
set -euo pipefail
cd "$(dirname "$0")/.."
version=${1:?usage: scripts/release.sh VERSION FOLDER}
out=${2:?usage: scripts/release.sh VERSION FOLDER}
platforms=${PLATFORMS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64}
programs=${PROGRAMS:-dbsched dbsched-sandbox}
most=$((40 * 1024 * 1024)) # of dbsched without engines: a new dependency that is heavy is noticed

commit=$(git rev-parse HEAD)
time=$(git log -1 --format=%cI)
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

GOBIN=$work go install github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0

# pack FOLDER NAME: an archive whose bytes depend on nothing but its contents.
pack() {
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="$time" -C "$1" -cf - . | gzip -n -9 >"$out/$2.tar.gz"
}

for platform in $platforms; do
    os=${platform%/*} arch=${platform#*/}
    for name in $programs; do
        tags=nosandbox
        [ "$name" = dbsched ] || tags=
        folder="$work/$name-$os-$arch"
        binary="$folder/$name"
        [ "$os" != windows ] || binary="$binary.exe"
        mkdir -p "$folder"
        CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -trimpath -buildvcs=false -tags "$tags" \
            -ldflags "-s -w -X main.version=$version -X main.commit=$commit" -o "$binary" ./cmd/dbsched
        "$work/cyclonedx-gomod" bin -version "$version" -std -noserial -notimestamp -json -output "$out/${name}_${version}_${os}_$arch.cdx.json" "$binary"
        cp LICENSE README.md CHANGELOG.md docs/dbsched.1 "$folder"
        size=$(wc -c <"$binary")
        if [ "$name" = dbsched ] && [ "$size" -gt "$most" ]; then
            echo "$binary has $size bytes, more than $most" >&2
            exit 1
        fi
        pack "$folder" "${name}_${version}_${os}_$arch"
        packed=$(wc -c <"$out/${name}_${version}_${os}_$arch.tar.gz")
        printf '%-32s %3d MB, packed %3d MB\n' "$name $os/$arch" $((size / 1048576)) $((packed / 1048576))
        rm -r "$folder"
    done
done

(cd "$out" && sha256sum ./*.tar.gz ./*.json >SHA256SUMS)
