package mssql

import (
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/ddl"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// token returns the session's token in its current database.
func (s *Session) token() catalog.Token {
	c := s.who.Current()
	if c.Login == nil && c.Home != s.db {
		tok, _ := s.who.TokenIn(s.db) // nobody, if the trust has ended since USE
		return tok
	}
	return c.Token
}

func (s *Session) defaultSchema() string {
	c := s.who.Current()
	if u := s.db.PrincipalByID(c.Token.User); c.Home == s.db && u != nil && u.DefaultSchema != "" {
		return u.DefaultSchema
	}
	return "dbo"
}

// check requires a permission on an object, unless the running module and the object have the same owner.
func (s *Session) check(f *frame, permission string, o *catalog.Object) {
	if o.DB == nil || (f != nil && f.owner != 0 && f.owner == o.Owner && f.db == o.DB) {
		return
	}
	tok := query.Must(s.who.TokenIn(o.DB))
	query.Check(o.DB.CheckObject(tok, permission, o))
}

// checkUses requires the permissions of a compiled statement. An object behind a view or an inline function is
// checked against the view's owner.
func (s *Session) checkUses(f *frame, uses []plan.Use) {
	for _, u := range uses {
		if u.Object == nil {
			continue
		}
		if u.Object.ID < 0 && u.Object.DB == nil { // a system view; those of schema dbo are tables of msdb
			if u.Object.SchemaID == catalog.DboSchema {
				query.Check(s.mayUseAgent(u.Permission, u.Object.Name))
			}
			continue
		}
		if m := u.Object.Module(); s.srv.ran != nil && m != nil && m.Select != nil {
			s.srv.ran[u.Object] = [2]string{u.Object.Name, m.Text}
		}
		if t := u.Object.Table(); t != nil && t.Temp {
			continue
		}
		owner := f.owner
		chained := false
		for _, via := range u.Via {
			owner, chained = via.Owner, true
		}
		if chained && owner == u.Object.Owner {
			continue
		}
		s.check(f, u.Permission, u.Object)
	}
}

// mayOnServer reports whether the running code has a permission on the server.
func (s *Session) mayOnServer(permission string) bool {
	var signatures []string
	if f := s.top(); f != nil {
		signatures = f.signatures
	}
	return s.who.AllowedOnServer(permission, signatures)
}

// executeAs runs EXECUTE AS USER | LOGIN.
func (s *Session) executeAs(f *frame, n *ast.ExecuteAsStatement) {
	if n.WithNoRevert || n.Cookie != nil {
		if f.object != nil {
			panic(message.MS(15590).Ending(sqlerr.Batch))
		}
		panic(sqlerr.NotSupported("EXECUTE AS ... WITH NO REVERT | COOKIE"))
	}
	query.Check(s.impersonate(f, n.ExecuteContext, n))
}

// impersonate pushes the security context that an EXECUTE AS names.
func (s *Session) impersonate(f *frame, c *ast.ExecuteContext, key any) error {
	v, err := s.scalar(f, key, c.Principal)
	if err != nil && c.Principal != nil {
		return err
	}
	switch strings.ToLower(c.Kind) {
	case "caller": // the module's caller; "outside a module, the statement has no action" (EXECUTE AS (Transact-SQL))
		m := f.module()
		if m == nil {
			return nil
		}
		c := *s.who.At(m.depth - 1)
		if c.Module == m.object {
			c = *s.who.At(m.depth - 2)
		}
		c.Level = m
		s.who.Push(c)
		return nil
	case "user":
		return s.who.PushUser(s.db, textOf(v), f.contextLevel())
	case "login":
		return s.who.PushLogin(s.db, textOf(v), f.contextLevel())
	}
	return sqlerr.NotSupported("EXECUTE AS %s", c.Kind)
}

// batchLevel stands for all batches of a session: what one of them has executed, the next may revert.
var batchLevel = &frame{}

// module returns the frame of the module that a frame belongs to, dynamic SQL included; nil in a batch.
func (f *frame) module() *frame {
	for f != nil && f.dynamic {
		f = f.outer
	}
	if f == nil || f.object == nil {
		return nil
	}
	return f
}

// contextLevel is where an EXECUTE AS of a frame holds: in the module, whether in dynamic SQL or not (a REVERT in one sp_executesql
// undoes the EXECUTE AS of an earlier one: GrantPermsToSP_server.sql of sommarskog.se), or in the session.
func (f *frame) contextLevel() *frame {
	if m := f.module(); m != nil {
		return m
	}
	return batchLevel
}

// revert undoes the last EXECUTE AS that was executed in the same module. A module that executed none has nothing
// to undo: the contexts of its callers are out of its reach.
func (s *Session) revert(f *frame, n *ast.RevertStatement) {
	c := s.who.Current()
	outside := f.dynamic && c.Level != nil && c.Level != f.contextLevel() && s.who.Depth() > 1
	if outside && s.srv.k.Differs(differ.RevertUnnoticed) {
		before := *s.who.At(s.who.Depth() - 2)
		before.Level = nil
		s.who.Push(before)
		return
	}
	tooFar := outside && s.srv.k.Differs(differ.RevertGoesTooFar)
	if (c.Level == f.contextLevel() || tooFar) && s.who.Depth() > 1 {
		if c.Home != s.db {
			panic(message.MS(15447, "Execute As"))
		}
		s.who.Cut(s.who.Depth() - 1)
	}
}

// enter takes the shared lock that every session holds on its database; statements that change the state of the
// database wait for it.
func (s *Session) enter(db *catalog.Database) error {
	if db.SingleUser && (definer{Session: s}).Users(db) > 0 {
		return message.MS(924, db.Name)
	}
	return s.srv.store.Lock(s.st.Owner(), ddl.DatabaseResource(db), store.S, store.LockWait{For: -1})
}

// use changes the current database.
func (s *Session) use(name string) {
	db := s.srv.catalog.DatabaseByName(name)
	if db == nil {
		panic(message.MS(911, name).Ending(sqlerr.Batch))
	}
	tok := query.Must(s.who.TokenIn(db))
	c := s.who.Current()
	if c.Login != nil {
		c.Home, c.Token = db, tok
	}
	query.Check(s.enter(db))
	before := s.db.Name
	if s.db != db {
		s.srv.store.Unlock(s.st.Owner(), ddl.DatabaseResource(s.db), false)
	}
	s.db = db
	if f := s.top(); f != nil {
		f.db, f.schema = db, s.defaultSchema()
	}
	s.out.Database(before, db.Name)
}
