package catalog

import (
	"github.com/dbsched/dbsched/internal/zones"
	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

func (s *Server) securityViews() {
	s.certificateViews()
	s.view("database_principals", func(v *viewer) {
		for _, p := range v.db.Principals() {
			if !v.seesPrincipal(p) {
				continue
			}
			desc, auth, authDesc := "SQL_USER", 1, "INSTANCE"
			switch p.Kind {
			case DatabaseRole:
				desc = "DATABASE_ROLE"
			case CertificateUser:
				desc = "CERTIFICATE_MAPPED_USER"
			case ApplicationRole:
				desc = "APPLICATION_ROLE"
			default:
			}
			if p.Kind != SQLUser || p.WithoutLogin || p.ID > DboUser && p.ID <= SysUser {
				auth, authDesc = 0, "NONE"
			}
			v.emit(p.Name, p.ID, string(rune(p.Kind)), desc, orNull(p.DefaultSchema), p.Created, p.Modified, orNull(p.Owner), sidCell(p.SID), p.Fixed,
				auth, authDesc, nil, nil, false)
		}
	})
	s.view("database_role_members", func(v *viewer) {
		for role, member := range v.db.Members() {
			if m := v.db.PrincipalByID(member); m != nil && v.seesPrincipal(m) {
				v.emit(role, member)
			}
		}
	})
	s.view("database_permissions", permissionRows)
	s.view("server_principals", func(v *viewer) {
		for _, l := range s.Logins() {
			if v.seesLogin(l) {
				fixed := l.Role && l.ID != publicLogin
				v.emit(append(loginCells(l), map[bool]any{true: saLogin}[l.Role], fixed)...)
			}
		}
	})
	s.view("server_role_members", func(v *viewer) {
		for _, l := range s.Logins() {
			if l.Sysadmin && v.seesRights(l) {
				v.emit(sysadminRole, l.ID)
			}
		}
	})
	// A user impersonated by an EXECUTE AS in a database has no rights on the server, and keeps what is denied to them; the database's
	// owner is the authenticator.
	s.view("login_token", func(v *viewer) {
		usage := "GRANT OR DENY"
		if v.Token.Login == 0 {
			usage = "DENY ONLY"
		}
		if v.Token.Vouched {
			v.Fail(sqlerr.NotSupported("sys.login_token of somebody whom a certificate vouches for"))
			return
		}
		own := v.ownLogin()
		for _, l := range s.Logins() {
			switch {
			case l.ID == own && (v.Token.Login != 0 || !s.Differ[differ.TokenWithoutLogin]):
				v.emit(l.ID, sidCell(l.SID), l.Name, "SQL LOGIN", usage)
			case l.ID == publicLogin, l.ID == sysadminRole && own != 0 && s.LoginByID(own).Sysadmin && v.seesRights(l):
				v.emit(l.ID, sidCell(l.SID), l.Name, "SERVER ROLE", usage)
			case l.ID == v.db.Owner && v.Token.Login == 0:
				v.emit(l.ID, sidCell(l.SID), l.Name, "SQL LOGIN", "AUTHENTICATOR")
			default:
			}
		}
	})
	s.view("server_permissions", func(v *viewer) {
		s.grants.rows.Scan(func(p Permission) bool {
			l := s.LoginByID(p.Grantee)
			if l == nil || !v.seesRights(l) {
				return true
			}
			code, _ := PermissionCode(p.Name)
			return v.emit(uint8(p.Class), "SERVER", p.Major, p.Minor, p.Grantee, p.Grantor, code, p.Name, string(rune(p.State)), p.State.describe())
		})
	})
}

func sidCell(sid string) any {
	if sid == "" {
		return nil
	}
	return []byte(sid)
}

func loginCells(l *Login) []any {
	kind, desc := "S", "SQL_LOGIN"
	if l.Role {
		kind, desc = "R", "SERVER_ROLE"
	} else if l.Certificate != "" {
		kind, desc = "C", "CERTIFICATE_MAPPED_LOGIN"
	}
	return []any{l.Name, l.ID, sidCell(l.SID), kind, desc, l.Disabled, l.Created, l.Modified, orNull(l.DefaultDB), orNull(l.Language), nil}
}

// ownLogin returns the login whose token the session has, 0 for none. For a user impersonated in the database it is the user's login.
func (v *viewer) ownLogin() int32 {
	if p := v.db.PrincipalByID(v.Token.User); v.Token.Login == 0 && p != nil && v.Token.Database == v.db {
		if l := v.db.LoginOf(p); l != nil {
			return l.ID
		}
	}
	return v.Token.Login
}

// seesLogin: everybody sees sa, the fixed roles and their own login; other logins need ALTER ANY LOGIN or VIEW ANY DEFINITION.
func (v *viewer) seesLogin(l *Login) bool {
	s := v.db.Server
	return l.Role || l.ID == saLogin || l.ID == v.ownLogin() || v.Token.Sysadmin ||
		v.Token.Login != 0 && (s.ServerAllowed(v.Token.Login, "ALTER ANY LOGIN") || s.ServerAllowed(v.Token.Login, "VIEW ANY DEFINITION"))
}

// seesRights: whoever sees a login sees its roles and permissions.
func (v *viewer) seesRights(l *Login) bool {
	return v.seesLogin(l) && (v.Token.Login != 0 || !v.db.Server.Differ[differ.TokenWithoutServerRights])
}

// seesPrincipal: everybody sees the system's principals, themselves and the fixed roles; other principals need any
// permission on them (learn.microsoft.com "sys.database_principals", permissions).
func (v *viewer) seesPrincipal(p *Principal) bool {
	if p.ID <= SysUser || p.Fixed || v.Token.Is(p.ID) || p.Owner != 0 && v.Token.Is(p.Owner) {
		return true
	}
	names := []string{"ALTER", "CONTROL", "VIEW DEFINITION"}
	if p.Kind == SQLUser {
		names = append(names, "IMPERSONATE")
	}
	on := OnPrincipal(p)
	if p.Kind == SQLUser {
		on.Owner = 0
	}
	return v.db.sees(v.Token, on, names)
}

var classNames = map[Class]string{
	ClassDatabase: "DATABASE", ClassObject: "OBJECT_OR_COLUMN", ClassSchema: "SCHEMA", ClassPrincipal: "DATABASE_PRINCIPAL", ClassType: "TYPE",
	ClassMessageType: "MESSAGE_TYPE", ClassContract: "SERVICE_CONTRACT", ClassService: "SERVICE",
}

func (g GrantState) describe() string {
	switch g {
	case Granted:
		return "GRANT"
	default:
	}
	return "DENY"
}

func permissionRows(v *viewer) {
	for p := range v.db.Permissions() {
		if g := v.db.PrincipalByID(p.Grantee); g == nil || !v.seesPrincipal(g) && !v.Token.Is(p.Grantor) {
			continue
		}
		code, _ := PermissionCode(p.Name)
		if !v.emit(uint8(p.Class), classNames[p.Class], p.Major, p.Minor, p.Grantee, p.Grantor, code, p.Name, string(rune(p.State)), p.State.describe()) {
			return
		}
	}
}

func (s *Server) serverViews() {
	s.view("databases", func(v *viewer) {
		for _, db := range s.Databases() {
			if !v.seesDatabase(db) {
				continue
			}
			shown := *db
			if v.Token.Login == 0 && s.Differ[differ.UsersSeeNoGroup] {
				shown.Group = [16]byte{}
			}
			cells := databaseCells(&shown)
			if s.Major >= 17 {
				cells = append(cells, db.OptimizedLocking)
			}
			v.emit(cells...)
		}
	})
	s.view("time_zone_info", func(v *viewer) {
		for _, zone := range zones.Windows() {
			loc, _ := zones.Location(zone)
			at := v.Now.In(loc)
			v.emit(zone, at.Format("-07:00"), at.IsDST())
		}
	})
	// Without VIEW ANY DATABASE only master and tempdb are visible. Users impersonated in a module have no server permission.
	sees := func(v *viewer, db *Database) bool {
		return db.ID <= 2 || v.Token.Sysadmin || v.Token.Login != 0 && s.ServerAllowed(v.Token.Login, "VIEW ANY DATABASE")
	}
	s.view("database_recovery_status", func(v *viewer) {
		for _, db := range s.Databases() {
			if sees(v, db) {
				v.emit(db.ID, guidCell([16]byte{15: byte(db.ID)}), nil)
			}
		}
	})
	s.view("database_mirroring", func(v *viewer) {
		for _, db := range s.Databases() {
			if sees(v, db) || v.Token.Login != 0 && v.Token.Login == db.Owner || db == v.db && s.Differ[differ.MirroringSeen] {
				v.emit(db.ID, guidCell(db.Mirroring))
			}
		}
	})
}

// seesDatabase: everybody sees master, tempdb and the current database; other databases need VIEW ANY DATABASE, which public has.
func (v *viewer) seesDatabase(db *Database) bool {
	if db == v.db || db.ID <= 2 || v.Token.Sysadmin {
		return true
	}
	return v.Token.Login != 0 && v.db.Server.ServerAllowed(v.Token.Login, "VIEW ANY DATABASE")
}
