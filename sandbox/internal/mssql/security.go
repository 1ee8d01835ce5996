package mssql

import (
	"slices"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/ddl"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// securityContext is one level of EXECUTE AS. The first one is the login itself; it never goes.
type securityContext struct {
	home  *catalog.Database // where the user is; a user impersonated in a database is trusted there only
	token catalog.Token
	login *catalog.Login // nil when only a database user is impersonated
	// frame is where a statement EXECUTE AS was executed (see contextLevel); nil for the login and for a module's clause, which
	// REVERT does not undo (learn.microsoft.com, "REVERT (Transact-SQL)").
	frame *frame
	// module is whose EXECUTE AS clause made it; nil for other contexts.
	module  *catalog.Object
	version int64 // of the catalogue that token was made from
}

// securityContext is the current one. What roles its user has, a session learns at once.
func (s *Session) securityContext() *securityContext {
	c := &s.contexts[len(s.contexts)-1]
	if version := c.home.Version + s.srv.catalog.Version; c.version != version {
		c.version = version
		if c.login != nil {
			if tok, ok := c.home.LoginToken(c.login); ok {
				c.token = tok
			}
		} else if c.home.PrincipalByID(c.token.User) != nil {
			c.token = c.home.UserToken(c.token.User)
		}
	}
	return c
}

// token is who the session is in its current database.
func (s *Session) token() catalog.Token {
	c := s.securityContext()
	if c.login == nil && c.home != s.db {
		tok, _ := s.tokenIn(s.db) // nobody, should the trust have ended since USE
		return tok
	}
	return c.token
}

// tokenIn is who the session is in a database; error 916 when it may not be there.
func (s *Session) tokenIn(db *catalog.Database) (catalog.Token, error) {
	c := s.securityContext()
	if db == c.home {
		return c.token, nil
	}
	if c.login != nil {
		if tok, ok := db.LoginToken(c.login); ok {
			return tok, nil
		}
	} else if tok, ok, err := c.vouchedIn(db); ok || err != nil {
		return tok, err
	}
	return catalog.Token{}, catalog.NoAccess(s.suserName(), db.Name)
}

// vouchedIn is who a user whom a module's EXECUTE AS made is in another database: his login there, if the certificate that signed
// the module, its authenticator, has AUTHENTICATE there. That the context is the user's until the module ends, with that authenticator
// also in modules called by it, is described there, too (learn.microsoft.com, "Extending Database Impersonation by Using EXECUTE AS").
func (c *securityContext) vouchedIn(db *catalog.Database) (tok catalog.Token, ok bool, err error) {
	u := c.home.PrincipalByID(c.token.User)
	if c.module == nil || u == nil || !slices.ContainsFunc(c.module.Module().Signatures, func(thumbprint string) bool {
		p := db.UserOfCertificate(thumbprint)
		return p != nil && db.Allowed(db.UserToken(p.ID), "AUTHENTICATE", catalog.OnDatabase())
	}) {
		return tok, false, nil
	}
	l := c.home.LoginOf(u)
	if l == nil {
		return tok, false, nil
	}
	if l.Sysadmin {
		return tok, false, sqlerr.NotSupported("a certificate that vouches for a sysadmin")
	}
	tok, ok = db.LoginToken(l)
	tok.Login, tok.Vouched = 0, true // the server does not trust the certificate
	return tok, ok, nil
}

// suserName is SUSER_SNAME(): the login, or for a user without one its SID as the engine shows it.
func (s *Session) suserName() string {
	c := s.securityContext()
	if c.login != nil {
		return c.login.Name
	}
	if u := c.home.PrincipalByID(c.token.User); u != nil {
		if l := s.srv.catalog.LoginBySID(u.SID); l != nil {
			return l.Name
		}
		return catalog.SIDString(u.SID)
	}
	return c.token.Name
}

func (s *Session) defaultSchema() string {
	c := s.securityContext()
	if u := s.db.PrincipalByID(c.token.User); c.home == s.db && u != nil && u.DefaultSchema != "" {
		return u.DefaultSchema
	}
	return "dbo"
}

// check demands a permission on an object, unless the running module and the object have the same owner.
func (s *Session) check(f *frame, permission string, o *catalog.Object) {
	if o.DB == nil || (f != nil && f.owner != 0 && f.owner == o.Owner && f.db == o.DB) {
		return
	}
	tok := query.Must(s.tokenIn(o.DB))
	query.Check(o.DB.CheckObject(tok, permission, o))
}

// checkUses demands what a compiled statement needs. An object behind a view or an inline function is
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

// demand checks a permission on anything but an object.
func (s *Session) demand(db *catalog.Database, permission string, on catalog.Securable) bool {
	tok, err := s.tokenIn(db)
	return err == nil && db.Allowed(tok, permission, on)
}

// mayOnServer reports whether the running code has a permission on the server: its login has it, or the login of a certificate
// that has signed the running module. A user who was impersonated in the database is nobody on the server, unless the certificate
// has signed the very module whose EXECUTE AS made him so, and has the right to vouch for him, AUTHENTICATE SERVER
// (learn.microsoft.com, "ADD SIGNATURE", "Extending Database Impersonation by Using EXECUTE AS").
func (s *Session) mayOnServer(permission string) bool {
	c := s.securityContext()
	if c.login != nil && s.srv.catalog.ServerAllowed(c.login.ID, permission) {
		return true
	}
	f := s.top()
	if f == nil {
		return false
	}
	return slices.ContainsFunc(f.signatures, func(thumbprint string) bool {
		l := s.srv.catalog.LoginOfCertificate(thumbprint)
		if l == nil || !s.srv.catalog.ServerAllowed(l.ID, permission) {
			return false
		}
		return c.login != nil || c.module != nil && slices.Contains(c.module.Module().Signatures, thumbprint) && s.srv.catalog.ServerAllowed(l.ID, "AUTHENTICATE SERVER")
	})
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
	case "caller": // of the module; "outside a module, the statement has no action" (EXECUTE AS (Transact-SQL))
		m := f.module()
		if m == nil {
			return nil
		}
		c := s.contexts[m.depth-1]
		if c.module == m.object {
			c = s.contexts[m.depth-2]
		}
		c.frame = m
		s.contexts = append(s.contexts, c)
		return nil
	case "user":
		s.pushUser(f, textOf(v))
		return nil
	case "login":
		s.pushLogin(f, textOf(v))
		return nil
	}
	return sqlerr.NotSupported("EXECUTE AS %s", c.Kind)
}

func (s *Session) pushUser(f *frame, name string) {
	u := s.db.PrincipalByName(name)
	if u == nil || u.Kind != catalog.SQLUser || u.ID == catalog.GuestUser || u.ID == catalog.SysUser || u.ID == catalog.InformationUser {
		panic(catalog.CannotImpersonate(name))
	}
	tok := query.Must(s.tokenIn(s.db))
	if tok.User != u.ID && !s.db.Allowed(tok, "IMPERSONATE", catalog.OnPrincipal(u)) {
		panic(catalog.CannotImpersonate(name))
	}
	s.contexts = append(s.contexts, securityContext{home: s.db, token: s.db.UserToken(u.ID), frame: f.contextLevel()})
}

func (s *Session) pushLogin(f *frame, name string) {
	denied := catalog.CannotImpersonateLogin(name)
	l := s.srv.catalog.LoginByName(name)
	c := s.securityContext()
	if l == nil || l.Role || c.login == nil || (!c.login.Sysadmin && c.login.ID != l.ID) {
		panic(denied)
	}
	tok, ok := s.db.LoginToken(l)
	if !ok {
		panic(catalog.NoAccess(l.Name, s.db.Name))
	}
	s.contexts = append(s.contexts, securityContext{home: s.db, token: tok, login: l, frame: f.contextLevel()})
}

// batchLevel stands for all batches of a session: what one of them has executed, the next may revert.
var batchLevel = &frame{}

// module is the frame of the module that a frame is in, with its dynamic SQL; nil in a batch.
func (f *frame) module() *frame {
	for f != nil && f.dynamic {
		f = f.outer
	}
	if f == nil || f.object == nil {
		return nil
	}
	return f
}

// contextLevel is where an EXECUTE AS of a frame holds: in the module, whether in dynamic SQL or not (what one sp_executesql
// executes, the REVERT of a later one undoes: GrantPermsToSP_server.sql of sommarskog.se), or in the session.
func (f *frame) contextLevel() *frame {
	if m := f.module(); m != nil {
		return m
	}
	return batchLevel
}

// revert undoes the last EXECUTE AS that was executed in the same module. There is nothing to undo in one that executed
// none: the contexts of its callers are out of its reach.
func (s *Session) revert(f *frame, n *ast.RevertStatement) {
	c := s.securityContext()
	if c.frame == f.contextLevel() && len(s.contexts) > 1 {
		if c.home != s.db {
			panic(message.MS(15447, "Execute As"))
		}
		s.contexts = s.contexts[:len(s.contexts)-1]
	}
}

// moduleContext pushes the context of a module's EXECUTE AS clause.
func (s *Session) moduleContext(o *catalog.Object) {
	m := o.Module()
	user := m.ExecuteAsUser
	switch m.ExecuteAs {
	case catalog.AsCaller:
		return
	case catalog.AsOwner:
		user = o.Owner
	case catalog.AsUser:
	}
	p := o.DB.PrincipalByID(user)
	if p == nil || p.Kind != catalog.SQLUser {
		panic(catalog.CannotImpersonate(o.Name))
	}
	s.contexts = append(s.contexts, securityContext{home: o.DB, token: o.DB.UserToken(user), module: o})
}

// enter takes the shared lock that every session holds on its database; what changes the state of the
// database waits for it.
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
	tok := query.Must(s.tokenIn(db))
	c := s.securityContext()
	if c.login != nil {
		c.home, c.token = db, tok
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
