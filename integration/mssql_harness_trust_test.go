package integration

import (
	"fmt"

	"github.com/dbsched/dbsched/templates"
	"github.com/stretchr/testify/require"
)

func (h *harness) other() *other {
	h.Helper()
	o := &other{h: h, target: fmt.Sprintf("dbsched_test_%d_o'ther]", h.now().UnixNano()), logins: map[string]string{}}
	o.name = templates.QuoteIdent(o.target)
	s := h.session()
	s.exec("CREATE DATABASE " + o.name + ";")
	h.Cleanup(func() {
		db := h.server.open("dbsched-test")
		defer db.Close()
		_, _ = db.Exec("ALTER DATABASE " + o.name + " SET SINGLE_USER WITH ROLLBACK IMMEDIATE;") // pooled sessions may be in it
		_, _ = db.Exec("DROP DATABASE " + o.name + ";")
		for _, login := range o.logins {
			_, _ = db.Exec("DROP LOGIN " + login + ";")
		}
	})
	o.exec("CREATE TABLE dbo.Facts (N int NOT NULL); CREATE TABLE dbo.Secret (N int NOT NULL); INSERT INTO dbo.Facts (N) VALUES (42);")
	for _, user := range []string{"etl", "ben"} {
		o.logins[user] = o.login(user)
		s.exec("CREATE USER " + user + " FOR LOGIN " + o.logins[user] + ";")
		s.exec("ALTER ROLE dbsched_user ADD MEMBER " + user + ";")
		o.exec("CREATE USER " + user + " FOR LOGIN " + o.logins[user] + "; GRANT SELECT, INSERT ON dbo.Facts TO " + user + ";")
	}
	return o
}

// facts returns the rows of its table.
func (o *other) facts() [][]string {
	o.h.Helper()
	return o.h.session().rows("SELECT N FROM " + o.name + ".dbo.Facts ORDER BY N;")
}

func (o *other) trust(users ...string) {
	o.h.Helper()
	require.NoError(o.h, o.script(templates.Trust{Users: users}))
}

func (o *other) insert(n int) string {
	return fmt.Sprintf("INSERT INTO %s.dbo.Facts (N) VALUES (%d);", o.name, n)
}
