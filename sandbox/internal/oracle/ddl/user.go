package ddl

import (
	"slices"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

func (x *run) createUser(n *ast.CreateUser) {
	if !x.cat.Has(x.rights, "CREATE USER") {
		panic(catalog.ErrPrivileges())
	}
	u := &catalog.User{Name: n.Name.Text}
	if n.Password == nil {
		panic(sqlerr.NotSupported("a user without IDENTIFIED"))
	}
	x.userOptions(u, n)
	query.Check(x.cat.CreateUser(u))
}

func (x *run) alterUser(n *ast.CreateUser) {
	u := x.cat.User(n.Name.Text)
	own := n.Name.Text == x.rights.User && len(n.Options) == 0 // users without any privilege may change their own password
	if !own && !x.cat.Has(x.rights, "ALTER USER") {
		panic(catalog.ErrPrivileges())
	}
	if u == nil {
		panic(message.ORA(1918, n.Name.Text))
	}
	next := *u
	next.Quotas = slices.Clone(u.Quotas)
	x.userOptions(&next, n)
	x.cat.AlterUser(u, next)
}

func (x *run) userOptions(u *catalog.User, n *ast.CreateUser) {
	if n.Password != nil {
		v := query.Must(x.Verifier(u.Name, n.Password.Text))
		u.Password, u.Expired = v, false
	}
	for _, o := range n.Options {
		switch o.Name {
		case "DEFAULT TABLESPACE":
			if o.Value == "TEMP" {
				panic(message.ORA(12910))
			}
			tablespace(o.Value)
			u.DefaultTablespace = o.Value
		case "QUOTA":
			quota(u, o.Value)
		case "ACCOUNT LOCK":
			u.Locked = true
		case "ACCOUNT UNLOCK":
			u.Locked = false
		case "PASSWORD EXPIRE":
			u.Expired = true
		}
	}
}

// quota grants or revokes space: all or nothing, since sizes are not modeled.
func quota(u *catalog.User, text string) {
	size, name, _ := strings.Cut(text, " ")
	if name != "SYSTEM" && name != "SYSAUX" {
		if name == "TEMP" {
			panic(message.ORA(30041))
		}
		tablespace(name)
	}
	u.Quotas = slices.DeleteFunc(u.Quotas, func(t string) bool { return t == name })
	switch {
	case size == "UNLIMITED":
		u.Quotas = append(u.Quotas, name)
		slices.Sort(u.Quotas)
	case strings.TrimRight(size, "KMGT") != "0":
		panic(sqlerr.NotSupported("a quota in bytes"))
	}
}

func (x *run) createRole(n *ast.CreateRole) {
	if !x.cat.Has(x.rights, "CREATE ROLE") {
		panic(catalog.ErrPrivileges())
	}
	query.Check(x.cat.CreateUser(&catalog.User{Name: n.Name.Text, Role: true}))
	if x.rights.User == catalog.Sys {
		return
	}
	query.Check(x.cat.GrantRole(x.cat.User(x.rights.User), n.Name.Text, true)) // the creator of a role gets it with ADMIN OPTION
}
