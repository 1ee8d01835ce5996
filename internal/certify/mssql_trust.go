package certify

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/dbsched/dbsched/templates"
)

// mssqlTrusted is what the probes of trust make outside the database; they share it.
const mssqlTrusted = "a second database, two logins with users in both, and what `render --trust` makes there"

// mssqlTrust are the probes of tasks that leave the database with the rights of their user's login.
func mssqlTrust() []Probe {
	return []Probe{
		{
			Name: "trusted-module", Capability: "tasks leave the database", Needed: true, alone: true,
			Assumed:   "With `AUTHENTICATE`, a signed module's user counts as its login, also in unsigned procedures that run for it",
			Otherwise: "`render --trust` has no effect",
			Answers:   []Answer{{Seen: noError, Verdict: Works}, {Seen: "error 916", Verdict: Fails}},
			Invasive:  mssqlTrusted,
			ask: func(ctx context.Context, b *bed) (string, error) {
				return b.leaves(ctx, "", func(insert string) string { return insert })
			},
		},
		{
			Name: "trust-of-another", Capability: "tasks leave the database", Needed: true, alone: true,
			Assumed:   "A task that switches to another user gets 916",
			Otherwise: "`render --trust` must not be used",
			Answers:   []Answer{{Seen: "error 916", Verdict: Works}, {Seen: noError, Verdict: Fails}},
			Invasive:  mssqlTrusted,
			ask:       trustOfAnother,
		},
		{
			Name: "trust-of-administrators", Capability: "tasks leave the database", Needed: true, alone: true,
			Assumed:   "An impersonated user shows the server roles and rights of its login",
			Otherwise: "Administrators could leave, or nobody (51048)",
			Answers: []Answer{
				{Seen: "error 51048", Verdict: Works},
				{Seen: noError, Verdict: Fails, Means: "Tasks of administrators leave the database: do not run `render --trust`."},
				{Seen: "error 51048 for everybody", Verdict: Fails, Means: "`render --trust` has no effect."},
			},
			Invasive: mssqlTrusted + "; for a moment, one of the logins, whose password nobody knows, is a sysadmin",
			ask:      trustOfAdministrators,
		},
	}
}

// away is the second database. etl and ben are users in both.
type away struct {
	database string
	etl, ben string // users
	login    string // of etl
}

// second makes a second database, or finds that of the probe before.
func (b *bed) second(ctx context.Context, s *session) (string, error) {
	name, err := s.outside(ctx, "away")
	if err != nil {
		return "", err
	}
	return name, needing("CREATE ANY DATABASE", s.exec(ctx, "IF DB_ID(N'"+name+"') IS NULL CREATE DATABASE "+name+";"))
}

// trusting makes the second database with a table and the logins, and trusts etl there. Nobody can guess or see the passwords: they have 130 random
// bits, and traces leave out the text of CREATE LOGIN.
func (b *bed) trusting(ctx context.Context) (*away, error) {
	s, err := b.session(ctx)
	if err != nil {
		return nil, err
	}
	a := &away{etl: mssqlProbe + "etl", ben: mssqlProbe + "ben"}
	if a.database, err = b.second(ctx, s); err != nil {
		return nil, err
	}
	there, err := b.session(ctx)
	if err != nil {
		return nil, err
	}
	if err := there.exec(ctx, "USE "+a.database+";", "IF OBJECT_ID(N'dbo.Facts') IS NULL CREATE TABLE dbo.Facts (N int NOT NULL);"); err != nil {
		return nil, err
	}
	for _, name := range []string{"etl", "ben"} {
		user := mssqlProbe + name
		login, err := s.outside(ctx, name)
		if err != nil {
			return nil, err
		}
		if name == "etl" {
			a.login = login
		}
		create := "IF DATABASE_PRINCIPAL_ID(N'" + user + "') IS NULL CREATE USER " + user + " FOR LOGIN " + login + ";"
		if err := s.exec(ctx, "IF NOT EXISTS (SELECT 1 FROM sys.server_principals AS p WHERE p.name = N'"+login+"') CREATE LOGIN "+login+" WITH PASSWORD = '"+rand.Text()+"aA1!';"); err != nil {
			return nil, needing("ALTER ANY LOGIN", err)
		}
		if err := s.exec(ctx, create, "ALTER ROLE "+mssqlSchema+"_user ADD MEMBER "+user+";"); err != nil {
			return nil, err
		}
		if err := there.exec(ctx, create, "GRANT INSERT ON dbo.Facts TO "+user+";"); err != nil {
			return nil, err
		}
	}
	script, err := templates.MSSQLTrust(templates.Params{Schema: mssqlSchema}, templates.Trust{Users: []string{a.etl}, Targets: []string{a.database}})
	if err != nil {
		return nil, err
	}
	owner, err := b.session(ctx) // its parts belong to one session
	if err != nil {
		return nil, err
	}
	for _, batch := range script {
		if err := owner.exec(ctx, batch.SQL); err != nil {
			return nil, err
		}
	}
	return a, nil
}

func (a *away) insert() string { return "INSERT INTO " + a.database + ".dbo.Facts (N) VALUES (1);" }

// leaves runs a task of etl's that inserts in the second database, after a statement of the owner's, and returns its error.
func (b *bed) leaves(ctx context.Context, before string, task func(insert string) string) (string, error) {
	a, err := b.trusting(ctx)
	if err != nil {
		return "", err
	}
	if before != "" {
		s, err := b.session(ctx)
		if err != nil {
			return "", err
		}
		if err := s.exec(ctx, fmt.Sprintf(before, a.ben, a.etl)); err != nil {
			return "", err
		}
	}
	failed, err := b.runAs(ctx, a.etl, task(a.insert()))
	if err != nil {
		return "", err
	}
	return errorNumber(failed[0]), nil
}

// trustOfAnother: each EXECUTE AS is vouched for separately, and nobody vouches for that of an unsigned text.
func trustOfAnother(ctx context.Context, b *bed) (string, error) {
	for _, first := range []string{"", "REVERT; REVERT; "} {
		seen, err := b.leaves(ctx, "GRANT IMPERSONATE ON USER::%s TO %s;", func(insert string) string {
			return first + "EXECUTE AS USER = N'" + mssqlProbe + "ben'; " + insert
		})
		if err != nil || seen != "error 916" {
			return seen, err
		}
	}
	return "error 916", nil
}

// trustOfAdministrators: the views of the server's principals show all users their own entries; no page says whether that includes a user who
// is impersonated in a database.
func trustOfAdministrators(ctx context.Context, b *bed) (seen string, err error) {
	a, err := b.trusting(ctx)
	if seen, _ := errorOf(err); seen == "error 51048" { // raised by the script's own check of the user
		return "error 51048 for everybody", nil
	}
	if err != nil {
		return "", err
	}
	s, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	for _, right := range []struct{ give, take string }{
		{"ALTER SERVER ROLE sysadmin ADD MEMBER %s;", "ALTER SERVER ROLE sysadmin DROP MEMBER %s;"},
		{"EXEC (N'USE master; GRANT CONTROL SERVER TO %s;');", "EXEC (N'USE master; REVOKE CONTROL SERVER TO %s;');"},
	} {
		if err := s.exec(ctx, fmt.Sprintf(right.give, a.login)); err != nil {
			return "", needing("sysadmin", err)
		}
		failed, err := b.runAs(ctx, a.etl, a.insert())
		err = errors.Join(err, s.exec(context.WithoutCancel(ctx), fmt.Sprintf(right.take, a.login)))
		if err != nil {
			return "", err
		}
		if seen = errorNumber(failed[0]); seen != "error 51048" {
			return seen, nil
		}
	}
	failed, err := b.runAs(ctx, a.etl, a.insert())
	if err != nil {
		return "", err
	}
	if failed[0] == 51048 {
		return "error 51048 for everybody", nil
	}
	return seen, nil
}
