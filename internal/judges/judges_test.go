package judges

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// judge is a tool that reads files, prints what is wrong with them, and fails if anything is.
type judge []string

// folder returns where the judges are.
func folder(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("JUDGES")
	if dir == "" {
		t.Skip("JUDGES names no folder with the judges: see CONTRIBUTING")
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(root, dir)
	}
	return dir
}

func parser(dir string) judge  { return judge{filepath.Join(dir, "vendorcheck"), "parse"} }
func model(dir string) judge   { return judge{filepath.Join(dir, "vendorcheck"), "model"} }
func grammar(dir string) judge { return judge{"java", "-jar", filepath.Join(dir, "zpa.jar")} }
func resolver(dir string) judge {
	return judge{"python3", filepath.Join(dir, "plsqlcheck", "plsqlcheck.py")}
}

// verdict shows scripts to a judge, and returns what it prints and whether all is well.
func (j judge) verdict(t *testing.T, scripts []script) (string, bool) {
	t.Helper()
	dir := t.TempDir()
	args := j[1:len(j):len(j)]
	for _, s := range scripts {
		path := filepath.Join(dir, s.name)
		require.NoError(t, os.WriteFile(path, []byte(s.text), 0o600))
		args = append(args, path)
	}
	out, err := exec.CommandContext(t.Context(), j[0], args...).CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited { //nolint:errorlint // made just now
		require.NoError(t, err)
	}
	return string(out), err == nil
}

func (j judge) accepts(t *testing.T, scripts []script) {
	t.Helper()
	out, well := j.verdict(t, scripts)
	require.True(t, well, "%s", out)
	for _, m := range unresolved.FindAllStringSubmatch(out, -1) { // names of procedures are warnings
		require.Equal(t, "0", m[1], "%s", out)
	}
	t.Logf("%s", out)
}

// unresolved is how the model says how many names it does not know besides those of the system.
var unresolved = regexp.MustCompile(`(\d+) of them not about system objects`)

// TestTSQL: Microsoft's parser takes all T-SQL, and every name resolves in Microsoft's schema model, for each version that has one.
func TestTSQL(t *testing.T) {
	dir := folder(t)
	parse, bind := tsql(t)
	parser(dir).accepts(t, parse)
	model(dir).accepts(t, bind)
}

// TestPLSQL: a grammar that nobody here wrote takes all PL/SQL, and every name resolves.
func TestPLSQL(t *testing.T) {
	dir := folder(t)
	for _, set := range plsql(t) {
		grammar(dir).accepts(t, set)
		resolver(dir).accepts(t, set)
	}
}

// misspelled plants mistakes into a script, each of which has to be there.
func misspelled(t *testing.T, text string, mistakes map[string]string) string {
	t.Helper()
	for right, wrong := range mistakes {
		require.Contains(t, text, right)
		text = strings.Replace(text, right, wrong, 1)
	}
	return text
}

// TestTSQLMistakes: a misspelled column, table, procedure and parameter are seen.
func TestTSQLMistakes(t *testing.T) {
	dir := folder(t)
	text := misspelled(t, render(t)(t, "mssql"), map[string]string{
		"t.ExecutionOrder,": "t.ExecutionOrdr,", "FROM [dbsched].Tasks AS t": "FROM [dbsched].Taks AS t",
		"EXEC [dbsched].SendWake": "EXEC [dbsched].SendWaek", "RaiseAlarm @Kind = 'StaleResource'": "RaiseAlarm @Kidn = 'StaleResource'",
	})
	out, well := model(dir).verdict(t, []script{{"install.sql", text}})
	require.False(t, well)
	for _, wrong := range []string{"ExecutionOrdr", "Taks", "SendWaek", "Kidn"} {
		require.Contains(t, out, wrong)
	}
	text = misspelled(t, text, map[string]string{"SET NOCOUNT ON;": "SET NOCOUNT ONN;"})
	_, well = parser(dir).verdict(t, []script{{"install.sql", text}})
	require.False(t, well)
}

// TestPLSQLMistakes is TestTSQLMistakes for Oracle.
func TestPLSQLMistakes(t *testing.T) {
	dir := folder(t)
	text := misspelled(t, render(t)(t, "oracle", "--schema", "app"), map[string]string{
		"t.execution_order,": "t.execution_ordr,", "from ds_processes p": "from ds_proceses p",
		"    ds_worker.close_if_done(l_": "    ds_worker.close_if_doen(l_", "in_process_id => l_process_id, out_task_id": "in_prozess_id => l_process_id, out_task_id",
	})
	out, well := resolver(dir).verdict(t, []script{{"install.sql", text}})
	require.False(t, well)
	for _, wrong := range []string{"execution_ordr", "ds_proceses", "close_if_doen", "in_prozess_id"} {
		require.Contains(t, out, wrong)
	}
	text = misspelled(t, text, map[string]string{"exception\n    when": "excepton\n    when"})
	_, well = grammar(dir).verdict(t, []script{{"install.sql", text}})
	require.False(t, well)
}
