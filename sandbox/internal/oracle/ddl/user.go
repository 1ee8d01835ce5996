package ddl

import (
	"slices"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

func errNoRole(name string) error { return sqlerr.New(1919, "role '%s' does not exist", name) }

func (x *run) createUser(n *ast.CreateUser) error {
	if !x.cat.Has(x.rights, "CREATE USER") {
		return catalog.ErrPrivileges()
	}
	u := &catalog.User{Name: n.Name.Text}
	noLogin := slices.ContainsFunc(n.Options, func(o ast.Option) bool { return o.Name == "NO AUTHENTICATION" })
	if n.Password == nil && !noLogin {
		return sqlerr.NotSupported("a user without IDENTIFIED or NO AUTHENTICATION")
	}
	if err := x.userOptions(u, n); err != nil {
		return err
	}
	return x.cat.CreateUser(u)
}

func (x *run) alterUser(n *ast.CreateUser) error {
	u := x.cat.User(n.Name.Text)
	own := n.Name.Text == x.rights.User && len(n.Options) == 0 // who may nothing may change the own password
	if !own && !x.cat.Has(x.rights, "ALTER USER") {
		return catalog.ErrPrivileges()
	}
	if u == nil {
		return sqlerr.New(1918, "user '%s' does not exist", n.Name.Text)
	}
	next := *u
	next.Quotas = slices.Clone(u.Quotas)
	if err := x.userOptions(&next, n); err != nil {
		return err
	}
	x.cat.AlterUser(u, next)
	return nil
}

func (x *run) userOptions(u *catalog.User, n *ast.CreateUser) error {
	if n.Password != nil {
		v, err := x.Verifier(u.Name, n.Password.Text)
		if err != nil {
			return err
		}
		u.Password, u.Expired = v, false
	}
	for _, o := range n.Options {
		switch o.Name {
		case "DEFAULT TABLESPACE":
			if o.Value == "TEMP" {
				return sqlerr.New(12910, "cannot specify temporary tablespace as default tablespace")
			}
			if err := tablespace(o.Value); err != nil {
				return err
			}
			u.DefaultTablespace = o.Value
		case "TEMPORARY TABLESPACE":
			switch o.Value {
			case "TEMP":
			case catalog.DefaultTablespace, "SYSTEM", "SYSAUX":
				return sqlerr.New(10615, "Invalid tablespace type for temporary tablespace")
			default:
				return sqlerr.New(959, "tablespace '%s' does not exist", o.Value)
			}
		case "QUOTA":
			if err := quota(u, o.Value); err != nil {
				return err
			}
		case "PROFILE":
			if o.Value != "DEFAULT" {
				return sqlerr.New(2380, "profile %s does not exist", o.Value)
			}
		case "ACCOUNT LOCK":
			u.Locked = true
		case "ACCOUNT UNLOCK":
			u.Locked = false
		case "PASSWORD EXPIRE":
			u.Expired = true
		case "NO AUTHENTICATION":
			u.Password = nil
		default:
			return sqlerr.NotSupported("%s of a user", o.Name)
		}
	}
	return nil
}

// quota gives or takes space: all or nothing, since sizes are not modelled.
func quota(u *catalog.User, text string) error {
	size, name, _ := strings.Cut(text, " ")
	if name != "SYSTEM" && name != "SYSAUX" {
		if name == "TEMP" {
			return sqlerr.New(30041, "Cannot grant quota on the tablespace")
		}
		if err := tablespace(name); err != nil {
			return err
		}
	}
	u.Quotas = slices.DeleteFunc(u.Quotas, func(t string) bool { return t == name })
	switch {
	case size == "UNLIMITED":
		u.Quotas = append(u.Quotas, name)
		slices.Sort(u.Quotas)
	case strings.TrimRight(size, "KMGT") != "0":
		return sqlerr.NotSupported("a quota in bytes")
	}
	return nil
}

func (x *run) createRole(n *ast.CreateRole) error {
	if !x.cat.Has(x.rights, "CREATE ROLE") {
		return catalog.ErrPrivileges()
	}
	if err := x.cat.CreateUser(&catalog.User{Name: n.Name.Text, Role: true}); err != nil {
		return err
	}
	if x.rights.User == catalog.Sys {
		return nil
	}
	return x.cat.GrantRole(x.cat.User(x.rights.User), n.Name.Text, true) // who creates a role has it, to pass it on
}
