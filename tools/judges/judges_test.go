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

// verdict runs a judge on scripts, and returns what it prints and whether all is well.
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
	well := err == nil
	for _, m := range unresolved.FindAllStringSubmatch(string(out), -1) { // in procedures they are warnings
		well = well && m[1] == "0"
	}
	return string(out), well
}

func (j judge) accepts(t *testing.T, scripts []script) {
	t.Helper()
	out, well := j.verdict(t, scripts)
	require.True(t, well || documented.ReplaceAllString(out, "") == "", "%s", out)
	t.Logf("%s", out)
}

// documented matches the resolver's whole output if all that it does not know is this, which 19c has:
// https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_SCHEDULER.html (EVALUATE_CALENDAR_STRING Procedure),
// https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_SESSION.html (Data Structures, GET_PACKAGE_MEMORY_UTILIZATION);
// .../DBMS_OUTPUT.html (DISABLE Procedure); in the Database Reference, V$PDBS, DATABASE_PROPERTIES and NLS_SESSION_PARAMETERS.
// And CON_ID_TO_GUID, which 21c has, in dynamic SQL (SQL Language Reference). Of the procedures of rounds, what they call commits.
var documented = regexp.MustCompile(`^(\S+ (dbms_scheduler has no evaluate_calendar_string that the checker knows|` +
	`dbms_session has no (type (lname|integer)_array|get_package_memory_utilization that the checker knows)|` +
	`dbms_output has no disable that the checker knows|autonomous (define|report)_round ends no transaction|` +
	`unknown table or view (v_\$pdbs|database_properties|nls_session_parameters)|unknown name con_id_to_guid)\n)+\d+ pieces, .*\n$`)

// unresolved matches the model's count of unknown names other than those of the system.
var unresolved = regexp.MustCompile(`(\d+) of them not about system objects`)

// TestAccepted: Microsoft's parser accepts all T-SQL, and every name resolves in Microsoft's schema model, for each version that has
// one; a third-party grammar accepts all PL/SQL, and every name resolves.
func TestAccepted(t *testing.T) {
	dir := folder(t)
	compose(t)
	t.Run("mssql", func(t *testing.T) {
		parse, bind := tsql(t)
		parser(dir).accepts(t, parse)
		model(dir).accepts(t, bind)
	})
	t.Run("oracle", func(t *testing.T) {
		for _, set := range plsql(t) {
			grammar(dir).accepts(t, set)
			resolver(dir).accepts(t, set)
		}
	})
}

// planted are mistakes, keyed by the correct text in an installation.
type planted map[string]string

func (p planted) in(t *testing.T, text string) []script {
	t.Helper()
	for right, wrong := range p {
		require.Contains(t, text, right)
		text = strings.Replace(text, right, wrong, 1)
	}
	return []script{{"install.sql", text}}
}

// TestMistakes: a misspelled column, table, procedure and parameter are found, and so is a word that the grammar does not have.
func TestMistakes(t *testing.T) {
	dir := folder(t)
	for dialect, c := range map[string]struct {
		names, words  judge
		flags         []string
		misspelled    planted
		seen          []string
		ungrammatical planted
	}{
		"mssql": {
			model(dir), parser(dir), nil,
			planted{
				"t.ExecutionOrder,": "t.ExecutionOrdr,", "FROM [dbsched].Tasks AS t": "FROM [dbsched].Taks AS t",
				"EXEC [dbsched].SendWake": "EXEC [dbsched].SendWaek", "RaiseAlarm @Kind = 'StaleResource'": "RaiseAlarm @Kidn = 'StaleResource'",
			},
			[]string{"ExecutionOrdr", "Taks", "SendWaek", "Kidn"},
			planted{"SET NOCOUNT ON;": "SET NOCOUNT ONN;"},
		},
		"oracle": {
			resolver(dir), grammar(dir), []string{"--schema", "app"},
			planted{
				"t.execution_order as": "t.execution_ordr as", "from ds_processes p": "from ds_proceses p",
				"    ds_worker.close_if_done(l_": "    ds_worker.close_if_doen(l_", "in_process_id => l_round.successor_process_id": "in_prozess_id => l_round.successor_process_id",
			},
			[]string{"execution_ordr", "ds_proceses", "close_if_doen", "in_prozess_id"},
			planted{"exception\n    when": "excepton\n    when"},
		},
	} {
		t.Run(dialect, func(t *testing.T) {
			text := render(t)(t, dialect, c.flags...)
			out, well := c.names.verdict(t, c.misspelled.in(t, text))
			require.False(t, well)
			for _, wrong := range c.seen {
				require.Contains(t, out, wrong)
			}
			_, well = c.words.verdict(t, c.ungrammatical.in(t, text))
			require.False(t, well)
		})
	}
}
