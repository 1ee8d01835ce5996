// Package security holds a session's identity: its login, and the users and logins that EXECUTE AS switched to.
package security

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// Context is one level of EXECUTE AS. The first one is the login itself; it is never removed.
type Context struct {
	Home  *catalog.Database // where the user is; a user impersonated in a database is trusted there only
	Token catalog.Token
	Login *catalog.Login // nil when only a database user is impersonated
	// Level is where an EXECUTE AS statement was executed; nil for the login and for a module's clause, which
	// REVERT does not undo (learn.microsoft.com, "REVERT (Transact-SQL)").
	Level any
	// Module is the module whose EXECUTE AS clause created it; nil for other contexts.
	Module  *catalog.Object
	version int64 // version of the catalog that Token is from
}

// Contexts are those of a session, the current one last.
type Contexts struct {
	Server *catalog.Server
	list   []Context
}

// Start begins a session's contexts.
func (w *Contexts) Start(c Context) { w.list = []Context{c} }

// Push begins a context.
func (w *Contexts) Push(c Context) { w.list = append(w.list, c) }

// Depth is how many contexts there are.
func (w *Contexts) Depth() int { return len(w.list) }

// Cut ends all contexts but the first n, if there are more.
func (w *Contexts) Cut(n int) { w.list = w.list[:min(n, len(w.list))] }

// At returns a context, the first one being 0.
func (w *Contexts) At(i int) *Context { return &w.list[i] }

// Current is the current context. Changes of its user's roles take effect at once.
func (w *Contexts) Current() *Context {
	c := &w.list[len(w.list)-1]
	if version := c.Home.Version + w.Server.Version; c.version != version {
		c.version = version
		if c.Login != nil {
			if tok, ok := c.Home.LoginToken(c.Login); ok {
				c.Token = tok
			}
		} else if c.Home.PrincipalByID(c.Token.User) != nil {
			c.Token = c.Home.UserToken(c.Token.User)
		}
	}
	return c
}

// TokenIn returns the session's token in a database; error 916 when it has no access.
func (w *Contexts) TokenIn(db *catalog.Database) (catalog.Token, error) {
	c := w.Current()
	if db == c.Home {
		return c.Token, nil
	}
	if c.Login != nil {
		if tok, ok := db.LoginToken(c.Login); ok {
			return tok, nil
		}
	} else if tok, ok, err := c.vouchedIn(db); ok || err != nil {
		return tok, err
	} else if w.Server.Differ[differ.GuestsEnter] && (db.Name == "master" || db.Name == "tempdb") {
		return db.UserToken(catalog.GuestUser), nil
	}
	return catalog.Token{}, catalog.NoAccess(w.LoginName(), db.Name)
}

// vouchedIn says who a user impersonated by a module's EXECUTE AS is in another database: the user's login there, if the certificate that
// signed the module, its authenticator, has AUTHENTICATE there. The same page says that the context lasts until the module ends, with that
// authenticator also in modules that it calls (learn.microsoft.com, "Extending Database Impersonation by Using EXECUTE AS").
func (c *Context) vouchedIn(db *catalog.Database) (tok catalog.Token, ok bool, err error) {
	u := c.Home.PrincipalByID(c.Token.User)
	if c.Module == nil || u == nil || c.Home.Server.Differ[differ.SignatureVouchesForNobody] || !slices.ContainsFunc(c.Module.Module().Signatures, func(thumbprint string) bool {
		p := db.UserOfCertificate(thumbprint)
		return p != nil && db.Allowed(db.UserToken(p.ID), "AUTHENTICATE", catalog.OnDatabase())
	}) {
		return tok, false, nil
	}
	l := c.Home.LoginOf(u)
	if l == nil {
		return tok, false, nil
	}
	if l.Sysadmin && !c.Home.Server.Differ[differ.TokenWithoutServerRights] {
		return tok, false, sqlerr.NotSupported("a certificate that vouches for a sysadmin")
	}
	tok, ok = db.LoginToken(l)
	tok.Login, tok.Vouched = 0, true // the server does not trust the certificate
	return tok, ok, nil
}

// LoginName is SUSER_SNAME(): the login, or for a user without one its SID as the engine shows it.
func (w *Contexts) LoginName() string {
	c := w.Current()
	if c.Login != nil {
		return c.Login.Name
	}
	if u := c.Home.PrincipalByID(c.Token.User); u != nil {
		if l := w.Server.LoginBySID(u.SID); l != nil {
			return l.Name
		}
		return catalog.SIDString(u.SID)
	}
	return c.Token.Name
}

// Allowed reports whether the session has a permission on anything but an object.
func (w *Contexts) Allowed(db *catalog.Database, permission string, on catalog.Securable) bool {
	tok, err := w.TokenIn(db)
	return err == nil && db.Allowed(tok, permission, on)
}

// AllowedOnServer reports whether running code with signatures has a permission on the server: its login has it, or the login of a
// certificate that has signed it. A user who was impersonated in the database is nobody on the server, unless the certificate
// has signed the very module whose EXECUTE AS impersonated the user, and has the right to vouch for them, AUTHENTICATE SERVER
// (learn.microsoft.com, "ADD SIGNATURE", "Extending Database Impersonation by Using EXECUTE AS").
func (w *Contexts) AllowedOnServer(permission string, signatures []string) bool {
	c := w.Current()
	if c.Login != nil && w.Server.ServerAllowed(c.Login.ID, permission) {
		return true
	}
	unneeded := map[string]bool{
		"ALTER ANY CONNECTION": w.Server.Differ[differ.NeedsNoAlterAnyConnection], "VIEW SERVER STATE": w.Server.Differ[differ.NeedsNoViewServerState],
		"AUTHENTICATE SERVER": w.Server.Differ[differ.NeedsNoAuthenticateServer],
	}
	return slices.ContainsFunc(signatures, func(thumbprint string) bool {
		l := w.Server.LoginOfCertificate(thumbprint)
		allowed := func(permission string) bool { return unneeded[permission] || w.Server.ServerAllowed(l.ID, permission) }
		if l == nil || !allowed(permission) || w.Server.Differ[differ.KillNeedsMore] && !w.Server.ServerAllowed(l.ID, "CONTROL SERVER") {
			return false
		}
		return c.Login != nil || c.Module != nil && slices.Contains(c.Module.Module().Signatures, thumbprint) && allowed("AUTHENTICATE SERVER")
	})
}

// PushUser begins the context of EXECUTE AS USER in the current database db; error 15517.
func (w *Contexts) PushUser(db *catalog.Database, name string, level any) error {
	u := db.PrincipalByName(name)
	if u == nil || u.Kind != catalog.SQLUser || u.ID == catalog.GuestUser || u.ID == catalog.SysUser || u.ID == catalog.InformationUser {
		return catalog.CannotImpersonate(name)
	}
	tok, err := w.TokenIn(db)
	if err != nil {
		return err
	}
	if tok.User != u.ID && !db.Allowed(tok, "IMPERSONATE", catalog.OnPrincipal(u)) {
		return catalog.CannotImpersonate(name)
	}
	if err := w.Server.Unresolvable(u.Name); err != nil {
		return err
	}
	c := Context{Home: db, Token: db.UserToken(u.ID), Level: level}
	if w.Server.Differ[differ.SignatureVouchesForAnother] {
		c.Module = w.Current().Module
	}
	w.Push(c)
	return nil
}

// PushLogin begins the context of EXECUTE AS LOGIN; errors 15406 and 916.
func (w *Contexts) PushLogin(db *catalog.Database, name string, level any) error {
	l := w.Server.LoginByName(name)
	c := w.Current()
	if l == nil || l.Role || c.Login == nil || (!c.Login.Sysadmin && c.Login.ID != l.ID) {
		return catalog.CannotImpersonateLogin(name)
	}
	tok, ok := db.LoginToken(l)
	if !ok {
		return catalog.NoAccess(l.Name, db.Name)
	}
	w.Push(Context{Home: db, Token: tok, Login: l, Level: level})
	return nil
}

// PushModule begins the context of a module's EXECUTE AS clause.
func (w *Contexts) PushModule(o *catalog.Object) error {
	m := o.Module()
	user := m.ExecuteAsUser
	switch m.ExecuteAs {
	case catalog.AsCaller:
		return nil
	case catalog.AsOwner:
		user = o.Owner
	case catalog.AsUser:
	}
	p := o.DB.PrincipalByID(user)
	if p == nil || p.Kind != catalog.SQLUser {
		return catalog.CannotImpersonate(o.Name)
	}
	if err := w.Server.Unresolvable(p.Name); err != nil {
		return err
	}
	w.Push(Context{Home: o.DB, Token: o.DB.UserToken(user), Module: o})
	return nil
}
