package oracle

import (
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ddl"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/settings"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// runDDL runs a statement that defines something: it commits before and, if it succeeds, after
// (Concepts, "Data Definition Language (DDL) Statements").
func (s *Session) runDDL(p *prepared) error {
	if err := s.Commit(nil); err != nil {
		return err
	}
	err := s.Run(func() error {
		switch n := p.node.(type) {
		case *ast.CreateUnit:
			errs, err := s.createUnit(n, p.syntax)
			s.warned = len(errs) > 0
			return err
		case *ast.AlterCompile:
			failed, err := s.alterCompile(n)
			s.warned = failed
			return err
		case *ast.Grant:
			if n.On != nil {
				if o, _, _ := s.srv.catalog.Resolve(s.here().rights, s.currentSchema(), n.On); o != nil && o.Owner != catalog.Sys {
					if err := s.waitPins(o); err != nil {
						return err
					}
				}
			}
		case *ast.Drop:
			if err := s.waitUnit(n); err != nil {
				return err
			}
		}
		return ddl.Execute(definer{s}, p.node)
	})
	if err != nil {
		_ = s.Rollback()
		return err
	}
	s.unsynced = true // definitions are written to the log, too
	return s.Commit(nil)
}

// waitUnit waits for calls that are running in a unit to be dropped.
func (s *Session) waitUnit(n *ast.Drop) error {
	kinds := []ast.ObjectKind{n.Kind}
	switch n.Kind {
	case ast.KindPackage:
		kinds = append(kinds, ast.KindPackageBody)
	case ast.KindPackageBody, ast.KindProcedure, ast.KindFunction:
	default:
		return nil
	}
	for _, k := range kinds {
		// A user who may not drop it does not wait.
		if o := s.srv.catalog.ResolveIn(s.here().rights, s.currentSchema(), n.Name, k); o != nil &&
			(o.Owner == s.here().rights.User || s.srv.catalog.Has(s.here().rights, "DROP ANY PROCEDURE")) {
			if err := s.waitPins(o); err != nil {
				return err
			}
		}
	}
	return nil
}

// definer is the session as package ddl sees it.
type definer struct{ *Session }

var _ ddl.Session = definer{}

// Catalog implements ddl.Session.
func (d definer) Catalog() *catalog.Catalog { return d.srv.catalog }

// Rights implements ddl.Session.
func (d definer) Rights() catalog.Rights { return d.here().rights }

// Schema implements ddl.Session.
func (d definer) Schema() string { return d.currentSchema() }

// Scope implements ddl.Session.
func (d definer) Scope(r catalog.Rights, schema string) plan.Scope {
	return &statementScope{library: library{srv: d.srv, rights: r, schema: schema}, place: func(*ast.Bind) int { return -1 }}
}

// LockTimeout implements ddl.Session.
func (d definer) LockTimeout() time.Duration { return d.ddlLockTimeout }

// TemporaryInUse implements ddl.Session.
func (d definer) TemporaryInUse(t *catalog.Table) bool { return d.srv.temporaryInUse(t) }

// ClearTemporary implements ddl.Session.
func (d definer) ClearTemporary(t *catalog.Table) { delete(d.temporary, t) }

// Verifier implements ddl.Session. It keeps the password itself: the wire server derives its own verifier.
func (d definer) Verifier(_, password string) (any, error) {
	if password == "" {
		return nil, message.ORA(988)
	}
	return password, nil
}

// Connected implements ddl.Session.
func (d definer) Connected(user string) bool {
	found := false
	d.srv.sessions.Scan(func(_ int, s *Session) bool {
		found = s.user.Name == user
		return !found
	})
	return found
}

// Drop implements ddl.Session: packages aq and jobs keep the queues and jobs.
func (d definer) Drop(*catalog.Object) error { return nil }

// DropOwner implements ddl.Session: the user is about to be dropped with everything they own.
func (d definer) DropOwner(owner string) error {
	d.srv.jobs.DropOwner(owner)
	return d.srv.queues.DropOwner(caller{d.Session}, owner)
}

// applicationRights are what the application user gets, directly: an installation's rights and two more that owners
// of applications usually have.
var applicationRights = []string{
	"CREATE SESSION", "CREATE TABLE", "CREATE VIEW", "CREATE SEQUENCE", "CREATE PROCEDURE", "CREATE JOB", "CREATE TYPE", "CREATE SYNONYM", "CREATE TRIGGER",
}

// createApplicationUser creates the user of the sandbox's DSN.
func (srv *Server) createApplicationUser(name string) error {
	u := &catalog.User{Name: name, Quotas: []string{catalog.DefaultTablespace}}
	if err := srv.catalog.CreateUser(u); err != nil {
		return err
	}
	for _, p := range applicationRights {
		srv.catalog.GrantSystem(u, p, false)
	}
	for _, p := range []string{"DBMS_LOCK", "DBMS_AQ", "DBMS_AQADM"} {
		o := srv.catalog.Object(catalog.Sys, p)
		srv.catalog.GrantObject(o, catalog.ObjectGrant{Grantee: name, Privilege: "EXECUTE", Grantor: catalog.Sys})
	}
	return nil
}

// SetPassword sets a user's password.
func (srv *Server) SetPassword(user, password string) {
	srv.catalog.User(Fold(user)).Password = password
}

// Password returns a user's password; false: there is no such user, or nobody can log in as it.
func (srv *Server) Password(user string) (string, bool) {
	u := srv.catalog.User(Fold(user))
	if u == nil {
		return "", false
	}
	p, ok := u.Password.(string)
	return p, ok
}

// lockTable is LOCK TABLE.
func (s *Session) lockTable(n *ast.LockTable) error {
	return s.Run(func() error {
		lib := &library{srv: s.srv, rights: s.here().rights, schema: s.currentSchema()}
		for _, ref := range n.Tables {
			o, err := lib.Table(ref, "SELECT")
			if err != nil {
				return err
			}
			t, ok := o.Def.(*catalog.Table)
			if !ok {
				return sqlerr.NotSupported("LOCK TABLE of a view")
			}
			if err := s.lock(t, n); err != nil {
				return err
			}
		}
		return nil
	})
}

// alterSystem is ALTER SYSTEM SET of the few parameters that are modeled.
func (s *Session) alterSystem(n *ast.AlterSession) error {
	if !s.srv.catalog.Has(s.here().rights, "ALTER SYSTEM") {
		return catalog.ErrPrivileges()
	}
	for _, st := range n.Settings {
		switch name := Fold(st.Name); name {
		case "JOB_QUEUE_PROCESSES":
			v := 0
			for _, c := range settings.Text(st.Value) {
				if c < '0' || c > '9' || v > 4000 {
					return message.ORA(2017)
				}
				v = v*10 + int(c-'0')
			}
			if v > 4000 {
				return message.ORA(68, v, "job_queue_processes", 0, 4000)
			}
			s.srv.jobs.SetProcesses(v)
		case "SCOPE", "SID", "COMMENT":
		default:
			return sqlerr.NotSupported("ALTER SYSTEM SET %s", name)
		}
	}
	return nil
}
