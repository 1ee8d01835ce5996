package certify

import (
	"context"
	"slices"
)

// mssqlUsers are the probes of what a task may do as its user.
func mssqlUsers() []Probe {
	return []Probe{
		{
			Name: "revert-in-a-task", Capability: "tasks run as their user", Needed: true,
			Assumed:   "`REVERT` in a task only ends the task's own `EXECUTE AS`",
			Otherwise: "Tasks could get the owner's rights; error 51037 and an alarm report it",
			Answers:   []Answer{{Seen: "its user", Verdict: Works}, {Seen: "somebody else", Verdict: Fails}, {Seen: "error 51037", Verdict: Fails}},
			Invasive:  "two database users without login",
			ask:       revertInATask,
		},
		{
			Name: "rights-after-execute-as", Capability: "tasks run as their user",
			Assumed:   "`HAS_PERMS_BY_NAME` after `EXECUTE AS` ignores the ownership chain",
			Otherwise: "Rounds of users without rights still enqueue, as them",
			Answers: []Answer{
				{Seen: "only with the right", Verdict: Works},
				{Seen: "also without", Verdict: Handled},
				{Seen: "not even with it", Verdict: Fails, Means: "The schedules of all users are suspended when they fire."},
			},
			Invasive: "a database user without login",
			ask:      rightsAfterExecuteAs,
		},
		{
			Name: "guest-of-system-databases", Capability: "tasks run as their user",
			Assumed:   "A task that names `tempdb` or `master` gets 916, although guests may enter them",
			Otherwise: "It works, with a guest's rights",
			Answers: []Answer{
				{Seen: "error 916", Verdict: Works},
				{Seen: noError, Verdict: Handled},
				{Seen: "no #tables", Verdict: Fails, Means: "Tasks cannot use temporary tables."},
			},
			Invasive: "a database user without login",
			ask:      guestOfSystemDatabases,
		},
	}
}

// revertInATask: according to its page, REVERT ends only an EXECUTE AS of the same module.
func revertInATask(ctx context.Context, b *bed) (string, error) {
	s, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	user, err := b.user(ctx, s, "revert")
	if err != nil {
		return "", err
	}
	other, err := b.user(ctx, s, "revert_other")
	if err != nil {
		return "", err
	}
	if err := s.exec(ctx, "GRANT IMPERSONATE ON USER::"+other+" TO "+user+";", b.table("Reverted", "Name nvarchar(128) NOT NULL"),
		"GRANT INSERT ON "+b.name("Reverted")+" TO public;"); err != nil {
		return "", err
	}
	var tasks []string
	for _, task := range []string{
		"REVERT;",
		"REVERT; REVERT; REVERT;",
		"EXEC (N'REVERT;');",
		"EXEC sys.sp_executesql N'EXEC (N''REVERT;'');';",
		"EXECUTE AS USER = N'" + other + "'; REVERT; REVERT;",
		"BEGIN TRY SELECT 1 / 0; END TRY BEGIN CATCH REVERT; END CATCH;",
	} {
		tasks = append(tasks, task+" INSERT INTO "+b.name("Reverted")+" (Name) VALUES (USER_NAME());")
	}
	failed, err := b.runAs(ctx, user, tasks...)
	if err != nil {
		return "", err
	}
	if i := slices.IndexFunc(failed, func(n int) bool { return n != 0 }); i >= 0 {
		return errorNumber(failed[i]), nil
	}
	names, err := s.values(ctx, "SELECT Name FROM "+b.name("Reverted"))
	if err != nil {
		return "", err
	}
	for _, name := range names {
		if name != user {
			return "somebody else", nil
		}
	}
	return "its user", nil
}

// rightsAfterExecuteAs asks as dbsched does before it fires a schedule: in a procedure of the owner of what is asked for.
func rightsAfterExecuteAs(ctx context.Context, b *bed) (string, error) {
	s, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	user := mssqlProbe + "asked"
	if err := s.exec(ctx, "CREATE USER "+user+" WITHOUT LOGIN;", "CREATE PROCEDURE "+b.name("AskedFor")+" AS RETURN 0;",
		`CREATE PROCEDURE `+b.name("Ask")+`
WITH EXECUTE AS OWNER
AS
BEGIN
    EXECUTE AS USER = N'`+user+`';
    SELECT HAS_PERMS_BY_NAME(N'`+b.name("AskedFor")+`', N'OBJECT', N'EXECUTE');
END;`); err != nil {
		return "", err
	}
	without, err := s.value(ctx, "EXEC "+b.name("Ask")+";")
	if err != nil {
		return "", err
	}
	if err := s.exec(ctx, "GRANT EXECUTE ON "+b.name("AskedFor")+" TO "+user+";"); err != nil {
		return "", err
	}
	with, err := s.value(ctx, "EXEC "+b.name("Ask")+";")
	switch {
	case err != nil:
		return "", err
	case with == "0": // NULL, which is not 1 without the right either, counts as a right
		return "not even with it", nil
	case without == "0":
		return "only with the right", nil
	}
	return "also without", nil
}

// guestOfSystemDatabases: the page of EXECUTE AS says that whatever leaves the database fails while a user is impersonated, and makes no
// exception for guests. A task's own #tables are within reach with either answer.
func guestOfSystemDatabases(ctx context.Context, b *bed) (string, error) {
	s, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	user, err := b.user(ctx, s, "guest")
	if err != nil {
		return "", err
	}
	failed, err := b.runAs(ctx, user,
		"SELECT 1 AS A INTO #work; IF OBJECT_ID(N'tempdb..#work') IS NOT NULL DROP TABLE #work;",
		"SELECT name FROM tempdb.sys.columns;",
		"SELECT COUNT(*) FROM tempdb.sys.objects WHERE object_id = OBJECT_ID(N'tempdb..#work');",
		"SELECT name FROM master.sys.databases;",
		"USE tempdb;")
	if err != nil {
		return "", err
	}
	if failed[0] != 0 {
		return "no #tables", nil
	}
	for _, n := range []int{0, 916} { // the more that is possible, the more there is to say
		if slices.Contains(failed[1:], n) {
			return errorNumber(n), nil
		}
	}
	return errorNumber(failed[1]), nil
}
