package tnsnames

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const sample = `# made by netca
PROD, prod.world =
  (DESCRIPTION =
    (ADDRESS_LIST =
      (LOAD_BALANCE = yes) # by hand
      (ADDRESS = (PROTOCOL = TCP)(HOST = db1.example)(PORT = 1521))
      (ADDRESS = (PROTOCOL = TCP)(HOST = db2.example)(PORT = 1522))
    )
    (CONNECT_DATA = (SERVER = DEDICATED) (SERVICE_NAME = prod.example) )
  )

BROKEN = (DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=h)
OLD=(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)
(HOST=old)(PORT=1521))(CONNECT_DATA=(SID=ORCL)))
EASY = //db/service
QUOTED = (DESCRIPTION=(ADDRESS=(PROTOCOL=TCPS)(HOST=q)(PORT=2484))(SECURITY=(SSL_SERVER_CERT_DN="CN=a),O=b#c"))(CONNECT_DATA=(SERVICE_NAME=q)))
MANY = (DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=h)(PORT=1)))) # one too many
 INDENTED = (DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=i)(PORT=1))(CONNECT_DATA=(SERVICE_NAME=i)))
EMPTY =
old = (DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=newer)(PORT=1))(CONNECT_DATA=(SID=O)))
`

// write creates a file where TNS_ADMIN points.
func write(t *testing.T, text string) func(string) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, FileName), []byte(text), 0o600))
	return env(map[string]string{"TNS_ADMIN": dir})
}

func env(m map[string]string) func(string) string { return func(name string) string { return m[name] } }

func TestFind(t *testing.T) {
	for _, ends := range []string{"\n", "\r\n"} {
		getenv := write(t, "\ufeff"+strings.ReplaceAll(sample, "\n", ends))
		for name, want := range map[string]string{
			"Prod":       "(DESCRIPTION =    (ADDRESS_LIST =      (LOAD_BALANCE = yes)      (ADDRESS = (PROTOCOL = TCP)(HOST = db1.example)(PORT = 1521))      (ADDRESS = (PROTOCOL = TCP)(HOST = db2.example)(PORT = 1522))    )    (CONNECT_DATA = (SERVER = DEDICATED) (SERVICE_NAME = prod.example) )  )",
			"PROD.WORLD": "(DESCRIPTION =    (ADDRESS_LIST =      (LOAD_BALANCE = yes)      (ADDRESS = (PROTOCOL = TCP)(HOST = db1.example)(PORT = 1521))      (ADDRESS = (PROTOCOL = TCP)(HOST = db2.example)(PORT = 1522))    )    (CONNECT_DATA = (SERVER = DEDICATED) (SERVICE_NAME = prod.example) )  )",
			"OLD":        "(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=newer)(PORT=1))(CONNECT_DATA=(SID=O)))",
			"QUOTED":     `(DESCRIPTION=(ADDRESS=(PROTOCOL=TCPS)(HOST=q)(PORT=2484))(SECURITY=(SSL_SERVER_CERT_DN="CN=a),O=b#c"))(CONNECT_DATA=(SERVICE_NAME=q)))`,
			"INDENTED":   "(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=i)(PORT=1))(CONNECT_DATA=(SERVICE_NAME=i)))",
		} {
			got, err := Find(name, getenv)
			require.NoError(t, err, name)
			require.Equal(t, want, got, name)
		}
		for name, want := range map[string]string{
			"nowhere": "the TNS name nowhere is not in " + Paths(getenv)[0] + "; there are: BROKEN, EASY, EMPTY, INDENTED, MANY, OLD, PROD, QUOTED, old, prod.world",
			"BROKEN":  "line 12: 2 ) missing at its end",
			"EASY":    "line 15: its value must be a connect descriptor in parentheses",
			"MANY":    "line 17: it has text after its last parenthesis",
			"EMPTY":   "line 19: its value must be a connect descriptor in parentheses",
		} {
			_, err := Find(name, getenv)
			require.ErrorAs(t, err, new(*Error))
			require.ErrorContains(t, err, want, name)
		}
	}
}

func TestWhereFilesAre(t *testing.T) {
	home := t.TempDir()
	admin := filepath.Join(home, "network", "admin")
	require.NoError(t, os.MkdirAll(admin, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(admin, FileName), []byte("HOME=(A=1)\nIFILE = '/opt/more.ora' # company\n"), 0o600))

	got, err := Find("home", env(map[string]string{"ORACLE_HOME": home}))
	require.NoError(t, err)
	require.Equal(t, "(A=1)", got)

	_, err = Find("other", env(map[string]string{"ORACLE_HOME": home}))
	require.ErrorContains(t, err, "; there are: HOME. It includes /opt/more.ora by IFILE, which is not read here")

	_, err = Find("home", env(map[string]string{"ORACLE_HOME": home, "TNS_ADMIN": filepath.Join(home, "nothing")}))
	require.ErrorContains(t, err, "there is no "+filepath.Join(home, "nothing", FileName)+". Set TNS_ADMIN to the folder that contains it")

	_, err = Find("home", env(map[string]string{"ORACLE_HOME": filepath.Join(home, "x")}))
	require.ErrorContains(t, err, "there is no "+filepath.Join("/etc", FileName)+" or "+filepath.Join(home, "x", "network", "admin", FileName)+", and TNS_ADMIN is not set")

	_, err = Find("x", write(t, ""))
	require.ErrorContains(t, err, "which has none")
}

// FuzzParse: whatever a file contains, a descriptor is balanced and begins and ends with its parentheses.
func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add("a=((\n'=)")
	f.Add("a=(\"\nb=\")")
	f.Add("IFILE=\n=\n,=(")
	f.Fuzz(func(t *testing.T, text string) {
		for _, e := range Parse(text).Entries {
			require.NotEmpty(t, e.Names)
			require.Equal(t, e.Problem != "", e.Descriptor == "")
			if e.Descriptor == "" {
				continue
			}
			require.Equal(t, byte('('), e.Descriptor[0])
			require.Equal(t, byte(')'), e.Descriptor[len(e.Descriptor)-1])
			depth := 0
			for _, c := range unquoted(e.Descriptor) {
				depth += level(c)
			}
			require.Zero(t, depth)
			require.NotContains(t, e.Descriptor, "\n")
		}
	})
}
