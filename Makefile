# dbsched: the commands of everyday work. `make` alone lists them.
.DEFAULT_GOAL := help
# Its cache is per checkout: what it remembers of another one comes with that one's paths, which the rules do not know.
GOLANGCI_LINT := go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.12.2

COMPOSE := docker compose -f integration/compose.yaml

.PHONY: help build release pictures test race fuzz simulate flaky damage certify traces mutate lint vulnerabilities golden pins compare audit unentered vendor life check servers servers-down test-mssql test-oracle

##@ Every day

help: ## list the targets
	@awk -F ':.*## ' '/^##@ / { printf "\n%s\n", substr($$0, 5) } /^[a-z-]+:.*## / { printf "  %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build the binary into bin/
	go build -trimpath -o bin/dbsched ./cmd/dbsched

test: ## run every test that needs nothing but Go
	go test ./...

golden: ## write the golden files anew (read the difference before you commit it)
	go test ./templates ./dialects/mssql ./dialects/oracle ./cmd/dbsched ./docs -update
	go test ./integration -run TestCalendars -update

pins: ## write anew what some forty scenarios cost, and the access paths
	go test ./sandbox/internal/mssql/plan -run TestCensus -update
	go test ./integration -update

lint: ## gofmt, go vet, golangci-lint
	@test -z "$$(gofmt -l .)" || { gofmt -l .; exit 1; }
	go vet ./...
	GOLANGCI_LINT_CACHE=$(CURDIR)/.cache/golangci-lint $(GOLANGCI_LINT) run ./...

check: ## what CI runs
	.ci/run

##@ Before a release

BASE ?=
compare: ## run the scenarios of BASE (where this branch left origin/main, or the parent) and of this tree: whose outcomes and costs differ
	go run ./tools/compare -base '$(BASE)'

race: ## run the tests where goroutines meet under the race detector
	go test -race ./sandbox/internal/kernel/... ./sandbox/internal/wire/... ./sandbox ./cmd/dbsched/... ./internal/web ./internal/console ./internal/snapshot

damage: ## damage whatever verify knows of, one at a time, on both engines; install or --fix heals it, and commands speak plainly
	DBSCHED_DAMAGE=all go test ./integration ./cmd/dbsched -run '^(TestDamage|TestNoCommandSpeaksGo)$$' -count=1 -timeout 60m

certify: ## dbsched certify on servers that differ in each point of docs/live.md, killed at twenty moments, and as the built binary
	DBSCHED_CERTIFY=all go test ./internal/certify ./cmd/dbsched -run '^(TestDifferences|TestManyDifferences|TestKilled|TestMSSQLProbes|TestMSSQLKilledRun|TestOracleProbes|TestCertify)$$' -count=1 -timeout 20m

life: build ## the built binary through the whole life of an installation
	go test ./cmd/dbsched -run TestLife -count=1 -v

vendor: ## Microsoft's parser and schema model and two judges of PL/SQL on all SQL; JUDGES names their folder (CONTRIBUTING)
	go test ./tools/judges -count=1 -v
	go test ./sandbox/internal/oracle/parser -run Mutations -count=1 -v

vulnerabilities: ## known vulnerabilities in what the programs call (asks vuln.go.dev)
	go run golang.org/x/vuln/cmd/govulncheck@v1.9.0 ./cmd/dbsched
	go run golang.org/x/vuln/cmd/govulncheck@v1.9.0 -tags nosandbox ./cmd/dbsched

servers: ## start the servers that the workflow tests, in containers (2017 apart: integration/compose.yaml)
	$(COMPOSE) --profile all up --wait

servers-down: ## remove them
	$(COMPOSE) --profile all down --volumes

# The servers of integration/compose.yaml, or those that the variables name. Without one the tests fail.
test-mssql: export DBSCHED_TEST_MSSQL_DSN ?= sqlserver://sa:Dbsched-throwaway-1@127.0.0.1:1433?database=master&encrypt=disable
test-mssql: ## run the scenarios on a real SQL Server
	DBSCHED_REQUIRE_MSSQL=1 go test ./integration/... -count=1 -p 1 -timeout 50m

test-oracle: export DBSCHED_TEST_ORACLE_DSN ?= oracle://sys:Dbsched-throwaway-1@127.0.0.1:1521/FREEPDB1?DBA%20PRIVILEGE=SYSDBA
test-oracle: ## run the scenarios on a real Oracle
	DBSCHED_REQUIRE_ORACLE=1 go test ./integration/... -count=1 -p 1 -parallel 2 -timeout 140m

release: ## build archives, checksums and SBOMs of all platforms into dist/
	scripts/release.sh "$$(git describe --tags --always)" dist

pictures: ## make the pictures in README anew; needs Chromium
	scripts/pictures.sh

##@ Campaigns and the sandbox

SEEDS ?= 10000
FROM ?= 0
DIALECT ?=
REPORT ?=
simulate: ## the exhaustive modes in full, then SEEDS (10000) random histories FROM (0), on each DIALECT (both); result lines into REPORT
	go test -c -o bin/simulation.test ./integration/simulation
	cd integration/simulation && ../../bin/simulation.test -test.timeout 0 -test.run 'TestFaults|TestSchedules|TestPairs|TestCalls|TestLateTasks|TestSeeds' -long \
		-seeds $(SEEDS) -from $(FROM) -dialect '$(DIALECT)' -report '$(abspath $(REPORT))' -executed

SEED ?= 1
SAMPLE ?= 300
TOPIC ?=
mutate: ## put SAMPLE (300) mistakes of a machine into the SQL, one at a time, and tell what notices them; SEED, DIALECT, TOPIC, ALL=1, NAMED=1: known ones, UNREACHED=1: what nothing executes
	go run ./internal/mutate -seed $(SEED) -sample $(SAMPLE) -dialect '$(DIALECT)' -topic '$(TOPIC)' $(if $(ALL),-all) $(if $(NAMED),-named) $(if $(UNREACHED),-unreached) $(if $(REACH),-reach '$(REACH)')

flaky: ## every test 20 times beside two busy loops, with seeds of their own: what failed how often
	go run ./tools/flaky

traces: ## the scenarios 50 times beside two busy loops, with one seed: which sandboxes were not the same
	go run ./tools/flaky -traces -runs 50 ./integration/... ./docs

FUZZTIME ?= 10m
fuzz: ## every fuzz test for FUZZTIME (10m), one after the other; what fails is kept in its testdata/fuzz
	@grep -rEo --include='*_test.go' '^func Fuzz[A-Za-z]+' . | sort | while IFS=: read -r file name; do \
		go test "$$(dirname "$$file")" -run '^$$' -fuzz "^$${name#func }$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x -parallel 1 || exit 1; \
	done

audit: ## make the table of supported T-SQL anew out of what all tests execute
	rm -f .census.*
	-DBSCHED_CENSUS=$(CURDIR)/.census go test -count=1 ./...
	LC_ALL=C sort -u -o sandbox/internal/mssql/parser/supported.txt .census.mssql
	rm -f .census.*

unentered: ## what of the sandbox no product test enters: functions, and the share of statements
	go test -count=1 -timeout 60m -coverpkg=./sandbox/... -coverprofile=.cover ./integration/... ./cmd/... ./docs ./dialects/... ./internal/... ./templates ./migrations
	go run ./tools/coverage .cover
	rm -f .cover
