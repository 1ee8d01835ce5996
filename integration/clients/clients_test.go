// Package clients_test runs the libraries with which applications call dbsched, unmodified and at their defaults, against a sandbox.
//
// install.sh FOLDER installs them, and the tests run with DBSCHED_CLIENTS=FOLDER. A program is in the folder of its dialect. It finds
// HOST, PORT, USER, PASSWORD and DATABASE in its environment, where dbsched is installed, and prints a line for each call:
//
//	ok NAME
//	refused NAME: TEXT    the sandbox says that it does not model this; such calls are listed in DIALECT/refused.txt
//	FAIL NAME: TEXT
//
// Other lines are for the reader of a log. A program exits with 0 whatever it found, and nobody reads what hello prints.
package clients_test

import (
	"bufio"
	"bytes"
	"cmp"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	_ "github.com/sijms/go-ora/v2"
	"github.com/stretchr/testify/require"
)

// languages say how a program runs and what must be in the folder for that.
var languages = map[string]struct {
	needs string
	args  func(folder, program string) []string
}{
	".py": {"venv/bin/python", func(folder, program string) []string {
		return []string{filepath.Join(folder, "venv/bin/python"), program}
	}},
	".js": {"node_modules", func(_, program string) []string { return []string{"node", program} }},
	".java": {"jars", func(folder, program string) []string {
		return []string{"java", "-cp", filepath.Join(folder, "jars", "*"), program}
	}},
	".java with ojdbc8": {"jars-ojdbc8", func(folder, program string) []string {
		return []string{"java", "-cp", filepath.Join(folder, "jars-ojdbc8", "*"), program}
	}},
	".go": {"", func(_, program string) []string { return []string{"go", "run", program} }},
}

func TestClients(t *testing.T) {
	folder := os.Getenv("DBSCHED_CLIENTS")
	if folder == "" {
		t.Skip("DBSCHED_CLIENTS names no folder made by install.sh")
	}
	binary := filepath.Join(t.TempDir(), "dbsched")
	out, err := exec.Command("go", "build", "-o", binary, "../../cmd/dbsched").CombinedOutput()
	require.NoError(t, err, string(out))
	for _, dialect := range []string{"mssql", "oracle"} {
		programs, err := filepath.Glob(dialect + "/*.*")
		require.NoError(t, err)
		for _, program := range programs {
			if strings.HasPrefix(program, "oracle/jdbc_") { // also with the driver that supports Java 8
				programs = append(programs, program+" with ojdbc8")
			}
		}
		for _, program := range programs {
			language, ok := languages[filepath.Ext(program)]
			if !ok || strings.HasPrefix(filepath.Base(program), "_") { // code that programs share
				continue
			}
			t.Run(program, func(t *testing.T) {
				if _, err := os.Stat(filepath.Join(folder, language.needs)); err != nil {
					t.Skip(err)
				}
				program, _, _ := strings.Cut(program, " ")
				play(t, binary, dialect, program, folder, language.args(folder, "./"+program))
			})
		}
	}
}

// play runs a program against a sandbox of its own; each line is a test.
func play(t *testing.T, binary, dialect, program, folder string, command []string) {
	t.Helper()
	dsn := serve(t, binary, dialect)
	task := map[string]string{"mssql": "SELECT 1", "oracle": "begin null; end;"}[dialect]
	for _, args := range [][]string{
		{"install", "--lanes=4"},
		{"start"},
		// A row in every view, for the programs that read all of them.
		{"schedule", "add", "often", "--cron=* * * * *", "--zone=Europe/Warsaw", "--begin=2026-01-01T00:00:00+01:00", "--end=2099-12-31T00:00:00Z", "--sql", task},
		{"schedule", "run", "often"},
		{"resource", "define", "r"},
		{"round", "define", "load", "--member=a", "--start-sql", task},
		{"round", "report", "load", "a", "--failed"},
	} {
		cmd := exec.Command(binary, args...)
		cmd.Env = append(os.Environ(), "DBSCHED_DSN="+dsn.String())
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%v\n%s", args, out)
	}
	if dialect == "oracle" { // used by the programs in docs/clients.md
		db, err := sql.Open("oracle", dsn.String())
		require.NoError(t, err)
		_, err = db.ExecContext(t.Context(), "CREATE TABLE orders (id NUMBER)")
		require.NoError(t, err)
		require.NoError(t, db.Close())
	}
	password, _ := dsn.User.Password()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "PYTHONPATH=.", "NODE_PATH="+filepath.Join(folder, "node_modules"),
		"HOST="+dsn.Hostname(), "PORT="+dsn.Port(), "USER="+dsn.User.Username(), "PASSWORD="+password,
		"DATABASE="+cmp.Or(dsn.Query().Get("database"), strings.TrimPrefix(dsn.Path, "/")))
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	require.NoError(t, err, "%s%s", out, errs.String())
	known := refused(t, dialect)
	for line := range strings.Lines(string(out)) {
		verdict, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		name, text, _ := strings.Cut(rest, ": ")
		if second, more, ok := strings.Cut(text, ": "); verdict == "ok" || ok && isGroup[name] {
			name, text = strings.TrimSuffix(name+": "+second, ": "), more
		}
		listed := slices.Contains(known, strings.TrimPrefix(program, dialect+"/")+" "+name)
		switch verdict {
		case "ok":
			t.Run(name, func(t *testing.T) { require.False(t, listed, "it works: take it from refused.txt") })
		case "refused":
			t.Run(name, func(t *testing.T) { require.True(t, listed, text) })
		case "FAIL":
			t.Run(name, func(t *testing.T) { require.Fail(t, text) })
		default:
			t.Log(strings.TrimSpace(line))
		}
	}
}

// isGroup holds the first parts of names that have two.
var isGroup = map[string]bool{
	"product": true, "product without autocommit": true, "Flyway": true, "Liquibase": true,
	"pymssql": true, "pyodbc": true, "mssqlpython": true, "JDBC escapes": true,
}

// refused reads which calls the sandbox refuses: one program and name per line.
func refused(t *testing.T, dialect string) []string {
	t.Helper()
	text, err := os.ReadFile(dialect + "/refused.txt")
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// serve starts a sandbox in a process of its own, until the end of the test.
func serve(t *testing.T, binary, dialect string) *url.URL {
	t.Helper()
	cmd := exec.Command(binary, "sandbox", "--dialect", dialect)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
		require.NoError(t, cmd.Wait(), fmt.Sprint(dialect, " sandbox"))
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	dsn, err := url.Parse(strings.TrimSpace(line))
	require.NoError(t, err)
	return dsn
}
