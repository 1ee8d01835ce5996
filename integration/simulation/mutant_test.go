package simulation

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/registry"
	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
	"github.com/dbsched/dbsched/templates"
)

// mutant is a small mistake in the SQL, of a kind that people make.
type mutant struct {
	dialect, name string
	file          string   // the template
	rule          int      // the broken rule, numbered as in the table in ../README.md
	why           string   // why a person would make it
	kill          []string // the scenarios of which one should fail; after /, the part of a name that has the dialect
	text, mistake string   // what the template says, and what replaces it
}

// mutants reads testdata/mutants: a paragraph for each, of fields, and of lines with the correct text ("- ") and with the mistake ("+ ").
func mutants(t *testing.T, dialect string) []mutant {
	t.Helper()
	all, err := os.ReadFile("testdata/mutants/" + dialect + ".txt")
	require.NoError(t, err)
	var out []mutant
	for paragraph := range strings.SplitSeq(strings.TrimSpace(string(all)), "\n\n") {
		m := mutant{dialect: dialect}
		var text, mistake []string
		for line := range strings.SplitSeq(strings.TrimSpace(paragraph), "\n") {
			key, value, _ := strings.Cut(line, " ")
			switch key {
			case "#":
			case "name:":
				m.name = value
			case "file:":
				m.file = dialect + "/" + value
			case "rule:":
				m.rule, err = strconv.Atoi(value)
				require.NoError(t, err, line)
			case "why:":
				m.why = value
			case "kill:":
				m.kill = strings.Split(value, ", ")
			case "-":
				text = append(text, value)
			case "+":
				mistake = append(mistake, value)
			default:
				require.Fail(t, "unknown line", "%s: %s", m.name, line)
			}
		}
		m.text, m.mistake = strings.Join(text, "\n"), strings.Join(mistake, "\n")
		if m.name != "" {
			out = append(out, m)
		}
	}
	return out
}

// files returns the templates with the mistake.
func (m mutant) files(t *testing.T) fs.FS {
	t.Helper()
	text, err := fs.ReadFile(templates.Files(), m.file)
	require.NoError(t, err, m.name)
	require.Equal(t, 1, strings.Count(string(text), m.text), "%s: how often its text occurs in %s", m.name, m.file)
	return patched{templates.Files(), m.file, []byte(strings.Replace(string(text), m.text, m.mistake, 1))}
}

// patched is a file system in which one file has another text.
type patched struct {
	fs.FS
	name string
	text []byte
}

func (p patched) Open(name string) (fs.File, error) {
	if name == p.name {
		return fstest.MapFS{name: {Data: p.text}}.Open(name)
	}
	return p.FS.Open(name)
}

// render renders the templates of a dialect: those that install, and those that uninstall.
func render(dialect string, files fs.FS) ([]templates.Batch, error) {
	p := templates.Params{Schema: "dbsched", Lanes: 2, Version: "1", Files: files}
	install, uninstall := templates.MSSQL, templates.MSSQLUninstall
	if dialect == "oracle" {
		p.Schema, p.Runner = "APP", "WORKER"
		install, uninstall = templates.Oracle, templates.OracleUninstall
	}
	batches, err := install(p)
	if err != nil {
		return nil, err
	}
	more, err := uninstall(p)
	return append(batches, more...), err
}

var dialectNames = []string{"mssql", "oracle"}

// TestMutants: each mistake changes one place, the changed template can be rendered, and its scenario exists.
func TestMutants(t *testing.T) {
	scenarios := map[string]bool{}
	paths, err := filepath.Glob("../*_test.go")
	require.NoError(t, err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, f := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(string(text), -1) {
			scenarios[f[1]] = true
		}
	}
	for _, dialect := range dialectNames {
		t.Run(dialect, func(t *testing.T) {
			all, names := mutants(t, dialect), map[string]bool{}
			require.GreaterOrEqual(t, len(all), 35)
			sound, err := render(dialect, nil)
			require.NoError(t, err)
			for _, m := range all {
				require.Regexp(t, `^[a-z0-9-]+$`, m.name)
				require.False(t, names[m.name], "%s twice", m.name)
				names[m.name] = true
				require.NotEmpty(t, m.why, m.name)
				require.True(t, m.rule >= 1 && m.rule <= 21, "%s: there is no rule %d", m.name, m.rule)
				require.NotEmpty(t, m.kill, m.name)
				for _, name := range m.kill {
					test, _, _ := strings.Cut(name, "/")
					require.True(t, scenarios[test], "%s: there is no scenario %s", m.name, test)
				}
				batches, err := render(dialect, m.files(t))
				require.NoError(t, err, m.name)
				require.Len(t, batches, len(sound), m.name)
				changed := 0
				for i, b := range batches {
					if b.SQL != sound[i].SQL {
						changed++
					}
				}
				require.Positive(t, changed, "%s changes nothing", m.name)
			}
		})
	}
}

// install installs templates in a sandbox, and runs test on it.
func install(t *testing.T, dialect string, files fs.FS, test func(t *testing.T, box *sandbox.Server)) {
	t.Helper()
	d, err := registry.All().ByName(dialect)
	require.NoError(t, err)
	sandboxtest.Run(t, sandbox.Options{Dialect: dialect, User: map[string]string{"mssql": "", "oracle": "app"}[dialect], Seed: 1}, t.Name(), sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
		t.Helper()
		sched, err := d.Open(t.Context(), dialects.Target{Dial: box.Dial, DSN: box.DSN(), Schema: d.DefaultSchema(), Templates: files})
		require.NoError(t, err)
		_, err = sched.Install(t.Context(), dialects.InstallOptions{Lanes: 2})
		require.NoError(t, sched.Close())
		require.NoError(t, err)
		test(t, box)
	})
}

// TestMutantIsInstalled: the installed SQL has the mistake.
func TestMutantIsInstalled(t *testing.T) {
	for dialect, query := range map[string]string{
		"mssql":  "SELECT COUNT(*) FROM sys.sql_modules AS m WHERE CHARINDEX(N'AS s WITH (READCOMMITTEDLOCK, ROWLOCK) ON s.SettingsId = CASE @Claim', m.definition) > 0",
		"oracle": "select count(*) from user_source s where s.name = 'DS_WORKER' and s.type = 'PACKAGE BODY' and s.text like '%t.task_id = in_task_id and t.attempt = in_attempt and t.status in%'",
	} {
		t.Run(dialect, func(t *testing.T) {
			name := map[string]string{"mssql": "claim-does-not-hold-the-settings", "oracle": "completion-without-the-worker"}[dialect]
			for _, m := range mutants(t, dialect) {
				if m.name != name {
					continue
				}
				for want, files := range []fs.FS{nil, m.files(t)} {
					t.Run(strconv.Itoa(want), func(t *testing.T) {
						install(t, dialect, files, func(t *testing.T, box *sandbox.Server) {
							t.Helper()
							db, err := sandboxtest.Open(dialect, box.DSN(), box.Dial)
							require.NoError(t, err)
							defer db.Close()
							var got int
							require.NoError(t, db.QueryRowContext(t.Context(), query).Scan(&got))
							require.Equal(t, want, got)
						})
					})
				}
				return
			}
			require.Fail(t, "there is no "+name)
		})
	}
}

// verdict is what a killer found.
type verdict struct {
	killed bool
	by     string // what failed
	after  int    // runs, including the failed one
}

// killer runs what should fail with a mistake.
type killer func(t *testing.T, m mutant) verdict

var killers = []killer{histories, scenario}

var (
	mutantSeeds = flag.Int("mutant-seeds", 150, "histories of a mutant, before its scenarios")
	mutantTable = flag.Bool("mutant-table", false, "write what killed each mutant into testdata/mutants.md")
)

// soundImages are installations without a mistake, by dialect.
var soundImages = map[string]*sandbox.Image{}

// histories plays the histories of the first seeds. One that also breaks a rule without the mistake proves nothing.
func histories(t *testing.T, m mutant) (v verdict) {
	t.Helper()
	w := map[string]func() words{"mssql": mssqlWords, "oracle": oracleWords}[m.dialect]()
	im := imageOf(t, w, m.files(t))
	for v.after < *mutantSeeds {
		a := seeded(w, uint64(v.after))
		v.after++
		_, broken := a.play(im)
		if len(broken) == 0 {
			continue
		}
		if soundImages[m.dialect] == nil {
			soundImages[m.dialect] = imageOf(t, w, nil)
		}
		if _, also := a.play(soundImages[m.dialect]); len(also) == 0 {
			t.Log(broken[0])
			v.killed, v.by = true, "the checker: "+kind(broken[0])
			return v
		}
	}
	return v
}

// scenario runs the scenarios that a mutant names, with a few seeds, in a process of their own: one that hangs or panics is killed, too.
func scenario(t *testing.T, m mutant) verdict {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "templates")
	require.NoError(t, os.CopyFS(dir, m.files(t)))
	var v verdict
	for _, by := range m.kill {
		if !regexp.MustCompile(`^Test(MSSQL|Oracle)`).MatchString(by) && !strings.Contains(by, "/") {
			by += "/" + m.dialect
		}
		require.NoError(t, runScenario(t, by, 0, ""), "%s fails without a mistake", by)
		for seed := range 3 {
			v.after++
			err := runScenario(t, by, seed, dir)
			if errors.Is(err, errHangs) {
				by += " (it hangs)"
			}
			if err != nil {
				v.killed, v.by = true, by
				return v
			}
		}
	}
	return v
}

var errHangs = errors.New("timeout")

// suite builds the program of all scenarios, once.
var suite = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "dbsched-mutants")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "integration.test")
	out, err := exec.Command("go", "test", "-c", "-o", path, "..").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("build the scenarios: %w\n%s", err, out)
	}
	return path, err
})

// sound holds the scenarios that passed without a mistake.
var sound sync.Map

// runScenario fails if the scenario does.
func runScenario(t *testing.T, name string, seed int, dir string) error {
	t.Helper()
	if _, passed := sound.Load(name); passed && dir == "" {
		return nil
	}
	program, err := suite()
	require.NoError(t, err)
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + p + "$"
	}
	cmd := exec.CommandContext(t.Context(), program, "-test.run", strings.Join(parts, "/"), "-test.timeout", "2m", "-test.v")
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "DBSCHED_TEMPLATES="+dir, "DBSCHED_TEST_SEED="+strconv.Itoa(seed))
	begin := time.Now()
	out, err := cmd.CombinedOutput()
	switch {
	case err == nil && !regexp.MustCompile(`--- PASS: `+name+` `).Match(out):
		require.Fail(t, "no scenario ran", "%s\n%s", name, out)
	case err == nil && dir == "":
		sound.Store(name, true)
	case err != nil && strings.Contains(string(out), "test timed out"):
		return errHangs
	case err != nil:
		return fmt.Errorf("%w after %s\n%s", err, time.Since(begin), out)
	}
	return nil
}

// fates reads testdata/mutants.md: the rows that say what killed which mutant, by dialect and name.
func fates(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("testdata/mutants.md")
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(t, err)
	}
	rows := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if cells := strings.Split(line, "|"); len(cells) == 6 && strings.Contains(line, "`") {
			rows[strings.TrimSpace(cells[1])+"/"+strings.Trim(cells[2], " `")] = line
		}
	}
	return rows
}

// note writes to testdata/mutants.md what killed a mutant.
func note(t *testing.T, m mutant, v verdict) {
	t.Helper()
	if !*mutantTable {
		return
	}
	rows, runs := fates(t), "seeds"
	if strings.HasPrefix(v.by, "the checker") {
		runs = "histories"
	}
	if v.after == 1 {
		runs = map[string]string{"seeds": "seed", "histories": "history"}[runs]
	}
	rows[m.dialect+"/"+m.name] = fmt.Sprintf("| %s | `%s` | %s | %d %s |\n", m.dialect, m.name, v.by, v.after, runs)
	var b strings.Builder
	b.WriteString("# Mistakes in the SQL, and what notices each\n\n`make mutants TABLE=1` writes this. First come histories of the simulation, from seed 0 on, then the scenarios that the mistake names.\n\n")
	b.WriteString("| Dialect | Mistake | Killed by | After |\n|---|---|---|---|\n")
	for _, dialect := range dialectNames {
		for _, m := range mutants(t, dialect) {
			b.WriteString(rows[m.dialect+"/"+m.name])
		}
	}
	require.NoError(t, os.WriteFile("testdata/mutants.md", []byte(b.String()), 0o644))
}

// TestMutantsAreKilled reports for each mistake what noticed it. It takes long: `make mutants`.
func TestMutantsAreKilled(t *testing.T) {
	if os.Getenv("DBSCHED_MUTANTS") == "" {
		t.Skip("make mutants")
	}
	for _, dialect := range dialectNames {
		t.Run(dialect, func(t *testing.T) {
			for _, m := range mutants(t, dialect) {
				t.Run(m.name, func(t *testing.T) {
					// A mistake that the server would refuse does not count.
					install(t, dialect, m.files(t), sandboxtest.Nothing)
					for _, k := range killers {
						v := k(t, m)
						if v.killed {
							t.Logf("%s killed by %s after %d", m.name, v.by, v.after)
							note(t, m, v)
							return
						}
					}
					t.Errorf("%s survived (rule %d: %s)", m.name, m.rule, m.why)
				})
			}
		})
	}
}
