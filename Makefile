# dbsched: the commands of everyday work. `make` alone lists them.
.DEFAULT_GOAL := help
# Its cache is per checkout: what it remembers of another one comes with that one's paths, which the rules do not know.
GOLANGCI_LINT := go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.12.2

.PHONY: help build test race lint golden audit life check

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-10s %s\n", $$1, $$2}'

build: ## build the binary into bin/
	go build -trimpath -o bin/dbsched ./cmd/dbsched

test: ## run every test that needs nothing but Go
	go test ./...

race: ## run the tests where goroutines meet under the race detector
	go test -race ./sandbox/kernel/... ./sandbox/tds/... ./sandbox/tns/... ./sandbox ./cmd/dbsched/...

lint: ## gofmt, go vet, golangci-lint
	@test -z "$$(gofmt -l .)" || { gofmt -l .; exit 1; }
	go vet ./...
	GOLANGCI_LINT_CACHE=$(CURDIR)/.cache/golangci-lint $(GOLANGCI_LINT) run ./...

golden: ## write the golden files anew (read the difference before you commit it)
	go test ./templates/... ./internal/cli/... ./cmd/dbsched/... ./docs -update

audit: ## make the tables of supported T-SQL, SQL and PL/SQL anew out of what all tests execute
	rm -f .census.*
	-DBSCHED_CENSUS=$(CURDIR)/.census go test -count=1 ./...
	for engine in mssql oracle; do LC_ALL=C sort -u -o sandbox/$$engine/audit/supported.txt .census.$$engine || exit 1; done
	rm -f .census.*

life: build ## the built binary through the whole life of an installation
	go test ./cmd/dbsched -run TestLife -count=1 -v

check: ## what CI runs
	.ci/run
