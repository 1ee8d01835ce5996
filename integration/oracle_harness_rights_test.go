package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/templates"
	"github.com/stretchr/testify/require"
)

// withRunner runs a scenario on an Oracle where tasks run as a user with few rights. anna and bert may enqueue, and carl is an
// administrator. Everybody may write to the owner's table who, and only the owner may read secret.
func withRunner(t *testing.T, scenario func(h *harness, r *running)) {
	t.Helper()
	onOracle(t, setup{bare: true}, func(h *harness) {
		r := &running{h: h, dsns: map[string]string{}, names: map[string]string{}}
		r.user("runner", "CREATE SESSION", "CREATE JOB")
		r.install(2)
		for _, name := range []string{"anna", "bert", "carl"} {
			r.user(name, "CREATE SESSION")
			require.NoError(h, h.sched.Grant(h.Context(), r.names[name], name == "carl"))
		}
		s := h.session()
		s.exec("create table who (id number generated always as identity primary key, text varchar2(200))")
		s.exec("create table secret (n number)")
		s.exec("grant insert on who to public")
		require.NoError(h, h.sched.SetWorkers(h.Context(), 2))
		require.NoError(h, h.sched.Start(h.Context()))
		scenario(h, r)
	})
}

// running is an installation with a runner, and the users that a test has created.
type running struct {
	h           *harness
	dsns, names map[string]string
}

func (r *running) user(name string, privileges ...string) {
	r.h.Helper()
	var grants []templates.Grant
	for _, p := range privileges {
		grants = append(grants, templates.Grant{Privilege: p})
	}
	r.dsns[name], r.names[name] = r.h.server.besideWith(name, grants)
}

func (r *running) install(lanes int) dialects.InstallReport {
	r.h.Helper()
	report, err := r.h.sched.Install(r.h.Context(), dialects.InstallOptions{Lanes: lanes, RunnerDSN: r.dsns["runner"]})
	require.NoError(r.h, err)
	return report
}

// as opens a session of a user; names resolve in the owner's schema.
func (r *running) as(name string) *session {
	r.h.Helper()
	s := r.h.sessionOn(r.dsns[name])
	s.exec("alter session set current_schema = " + r.h.schema)
	return s
}

// revoke revokes a user, who leaves what is given.
func (r *running) revoke(name string, want dialects.Revoked) {
	r.h.Helper()
	left, err := r.h.sched.Revoke(r.h.Context(), r.names[name])
	require.NoError(r.h, err)
	require.Equal(r.h, want, left)
}

// drop drops a user, whose sessions end.
func (r *running) drop(name string) {
	r.h.Helper()
	a := r.h.admin()
	a.exec("begin for s in (select sid || ',' || serial# id from v$session where username = '" + r.names[name] + "') loop " +
		"execute immediate 'alter system kill session ''' || s.id || ''' immediate'; end loop; end;")
	r.h.pause(time.Second)
	a.exec("drop user " + r.names[name] + " cascade")
}

// again creates a user of the name of one that was dropped, without rights on dbsched.
func (r *running) again(name string) {
	r.h.Helper()
	a := r.h.admin()
	a.exec(fmt.Sprintf(`create user %s identified by "%s"`, r.names[name], throwAway))
	a.exec("grant create session to " + r.names[name])
}

// enqueue enqueues a task as a user; %s in it is the owner.
func (r *running) enqueue(name, task string) int64 {
	r.h.Helper()
	return number(r.h, r.as(name).ask(r.h.say.enqueueReturn(0, 1, strings.ReplaceAll(task, "%s", r.h.schema))))
}

// ends waits for a task and returns its status; its error has text in it.
func (r *running) ends(id int64, text string) string {
	r.h.Helper()
	r.h.until(time.Minute, "it ends", func() bool { return r.h.statusOf(id) == "Failed" || r.h.statusOf(id) == "Succeeded" })
	require.Contains(r.h, r.h.logsOf(id)[0].ErrorMessage, text)
	return r.h.statusOf(id)
}

// noted returns what tasks wrote to who.
func (r *running) noted() []string {
	r.h.Helper()
	var all []string
	for _, row := range r.h.session().rows("select text from who order by id") {
		all = append(all, row[0])
	}
	return all
}

const note = "insert into %s.who (text) values (user || ' ' || sys_context('USERENV', 'CURRENT_USER') || ' ' || sys_context('USERENV', 'CURRENT_SCHEMA'))"
