package oracle

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/sandbox"
	"github.com/dbsched/dbsched/templates"
)

// asSYS opens a session of SYS, which owns the packages.
func asSYS(t *testing.T, server *sandbox.Server) *scheduler {
	t.Helper()
	server.SetPassword("sys", "hush")
	u, err := url.Parse(server.DSN())
	require.NoError(t, err)
	u.User = url.UserPassword(`"SYS"`, "hush") // quoted, or the driver would ask for SYSDBA
	s := &scheduler{target: target{url: u.String()}}
	s.open = opener(s.target, nil, "")
	s.Client = &client.Client{DB: s.pool(), Engine: s}
	t.Cleanup(func() { _ = s.DB.Close() })
	return s
}

// Each right that the preflight requires, if missing or granted only through a role, is named with
// the statement that grants it, and nothing is changed.
func TestPreflightNamesWhatIsMissing(t *testing.T) {
	server := start(t, nil)
	s, dba := open(t, server.DSN()), asSYS(t, server)
	exec(t, dba, "create role by_role")
	exec(t, dba, "grant by_role to app")
	var all []string
	for _, g := range templates.OracleGrants() {
		if !g.Checked {
			continue
		}
		grant := g.Statement("APP")
		holder := "app"
		if g.Public {
			holder = "public"
		}
		revoke := strings.Replace(strings.Replace(grant, "grant ", "revoke ", 1), " to APP", " from "+holder, 1)
		restore := strings.Replace(grant, " to APP", " to "+holder, 1)
		t.Run(g.Privilege+g.Package, func(t *testing.T) {
			exec(t, dba, revoke)
			exec(t, dba, strings.Replace(grant, " to APP", " to by_role", 1))
			_, err := s.Install(t.Context(), installOptions)
			var refused *dialects.PreflightError
			require.ErrorAs(t, err, &refused)
			require.Equal(t, grant+";", refused.Findings[0].Remedy)
			require.Empty(t, names(t, s))
			exec(t, dba, strings.NewReplacer("grant ", "revoke ", " to APP", " from by_role").Replace(grant))
			exec(t, dba, restore)
		})
		if !g.Public {
			all = append(all, grant)
		}
	}
	// All at once.
	for _, grant := range all {
		exec(t, dba, strings.NewReplacer("grant ", "revoke ", " to APP", " from app").Replace(grant))
	}
	_, err := s.Install(t.Context(), installOptions)
	var refused *dialects.PreflightError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, strings.Join(all, ";\n")+";", refused.Findings[0].Remedy)
	require.Empty(t, names(t, s))
	for _, statement := range all {
		exec(t, dba, statement)
	}
	_, err = s.Install(t.Context(), installOptions)
	require.NoError(t, err)
}

// A user's name is in upper case unless it is quoted, as in SQL.
func TestUserNames(t *testing.T) {
	for name, want := range map[string]string{"anna": "ANNA", `"anna"`: "anna", `"An na"`: "An na", `"`: `"`, "": ""} {
		require.Equal(t, want, userName(name))
	}
}
