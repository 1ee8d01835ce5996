package catalog

import (
	"encoding/binary"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"
)

// Login is a server principal: a SQL login or a fixed server role. Logins are immutable and
// replaced as a whole.
type Login struct {
	ID       int32 // sa is 1
	Name     string
	SID      string // raw bytes
	Password string // as given: this is not a production server
	// Certificate is the thumbprint of the certificate that it was created from; nobody can log in with such a login.
	Certificate string
	Role        bool // a fixed server role (public, sysadmin …)
	Sysadmin    bool
	Disabled    bool
	DefaultDB   string
	Language    string
	Policy      bool // CHECK_POLICY
	Expires     bool // CHECK_EXPIRATION
	Created     time.Time
	Modified    time.Time
}

// The server principals that every instance has.
const (
	saLogin      int32 = 1
	publicLogin  int32 = 2
	sysadminRole int32 = 3
	firstLogin   int32 = 267
)

// SaLogin is the id of the login sa.
const SaLogin = saLogin

// PrincipalKind is the kind of a database principal: sys.database_principals.type.
type PrincipalKind byte

// The kinds of database principals.
const (
	SQLUser         PrincipalKind = 'S'
	DatabaseRole    PrincipalKind = 'R'
	CertificateUser PrincipalKind = 'C' // its SID is the certificate's
	ApplicationRole PrincipalKind = 'A' // who a session is after sp_setapprole
)

// Principal is a user or role of a database. Principals are immutable and replaced as a whole.
type Principal struct {
	ID            int32
	Name          string
	Kind          PrincipalKind
	SID           string // raw bytes; empty for none
	WithoutLogin  bool   // CREATE USER … WITHOUT LOGIN
	DefaultSchema string
	Owner         int32  // for a role
	Password      string // of an application role
	Fixed         bool   // a fixed database role
	Created       time.Time
	Modified      time.Time
}

// The principals and schemas that every database has.
const (
	PublicRole      int32 = 0
	DboUser         int32 = 1
	GuestUser       int32 = 2
	InformationUser int32 = 3
	SysUser         int32 = 4

	RoleOwner       int32 = 16384 // db_owner
	RoleAccessAdmin int32 = 16385
	RoleSecAdmin    int32 = 16386
	RoleDDLAdmin    int32 = 16387
	RoleBackup      int32 = 16389
	RoleReader      int32 = 16390
	RoleWriter      int32 = 16391
	RoleDenyReader  int32 = 16392
	RoleDenyWriter  int32 = 16393

	DboSchema               int32 = 1
	GuestSchema             int32 = 2
	InformationSchemaSchema int32 = 3
	SysSchema               int32 = 4
)

// Token says as whom something runs in one database.
type Token struct {
	Database *Database
	User     int32   // the database principal
	Name     string  // of the user
	Roles    []int32 // the user, public and every role it is in, directly or not, by id
	Dbo      bool    // it is dbo: nothing is checked
	Login    int32   // the login behind it; 0 when impersonating a user in the database only
	Sysadmin bool
	Vouched  bool // a certificate vouches for the user, who was impersonated in another database
}

func (s *Server) addSystemLogins(now time.Time) {
	sa := &Login{ID: saLogin, Name: "sa", SID: "\x01", Sysadmin: true, DefaultDB: "master", Language: "us_english", Policy: true, Created: now, Modified: now}
	s.logins.Set(sa.ID, sa)
	for i, n := range []string{"public", "sysadmin", "securityadmin", "serveradmin", "setupadmin", "processadmin", "diskadmin", "dbcreator", "bulkadmin"} {
		l := &Login{ID: publicLogin + int32(i), Name: n, SID: string([]byte{byte(publicLogin) + byte(i)}), Role: true, Created: now, Modified: now}
		s.logins.Set(l.ID, l)
	}
	s.nextLogin = firstLogin
	s.grants.rows.Set(Permission{Class: ClassServer, Grantee: publicLogin, Grantor: saLogin, Name: "VIEW ANY DATABASE", State: Granted})
}

// LoginByName returns a login or fixed server role, or nil.
func (s *Server) LoginByName(name string) *Login {
	return named(&s.logins, s.Collation, name, func(l *Login) string { return l.Name })
}

// LoginByID returns a login or fixed server role, or nil.
func (s *Server) LoginByID(id int32) *Login {
	l, _ := s.logins.Get(id)
	return l
}

// LoginBySID returns a login, or nil.
func (s *Server) LoginBySID(sid string) *Login {
	return first(ordered(&s.logins), func(l *Login) bool { return sid != "" && l.SID == sid })
}

// Logins yields the logins and fixed server roles by id.
func (s *Server) Logins() iter.Seq2[int32, *Login] { return ordered(&s.logins) }

// PutLogin adds a login (ID 0) or replaces the one with the same id.
func (s *Server) PutLogin(u Undoer, l *Login) {
	if l.ID == 0 {
		l.ID = s.nextLogin
		s.nextLogin++
	}
	old, had := s.logins.Set(l.ID, l)
	s.Version++
	u.Undo(func() {
		if had {
			s.logins.Set(l.ID, old)
		} else {
			s.logins.Delete(l.ID)
		}
		s.Version++
	})
}

// RemoveLogin drops a login with its server-level permissions.
func (s *Server) RemoveLogin(u Undoer, l *Login) {
	s.logins.Delete(l.ID)
	s.Version++
	u.Undo(func() {
		s.logins.Set(l.ID, l)
		s.Version++
	})
	s.grants.removeGrantee(u, l.ID)
}

// addSystemPrincipals gives a new database its fixed principals and schemas.
func (db *Database) addSystemPrincipals(now time.Time) {
	add := func(p *Principal) {
		p.Created, p.Modified = now, now
		db.users.Set(p.ID, p)
	}
	add(&Principal{ID: PublicRole, Name: "public", Kind: DatabaseRole, Owner: DboUser})
	owner := db.Server.LoginByID(db.Owner)
	add(&Principal{ID: DboUser, Name: "dbo", Kind: SQLUser, SID: owner.SID, DefaultSchema: "dbo"})
	add(&Principal{ID: GuestUser, Name: "guest", Kind: SQLUser, SID: "\x00", DefaultSchema: "guest"})
	add(&Principal{ID: InformationUser, Name: "INFORMATION_SCHEMA", Kind: SQLUser})
	add(&Principal{ID: SysUser, Name: "sys", Kind: SQLUser})
	roles := []struct {
		id   int32
		name string
	}{
		{RoleOwner, "db_owner"}, {RoleAccessAdmin, "db_accessadmin"}, {RoleSecAdmin, "db_securityadmin"},
		{RoleDDLAdmin, "db_ddladmin"}, {RoleBackup, "db_backupoperator"}, {RoleReader, "db_datareader"},
		{RoleWriter, "db_datawriter"}, {RoleDenyReader, "db_denydatareader"}, {RoleDenyWriter, "db_denydatawriter"},
	}
	for _, r := range roles {
		add(&Principal{ID: r.id, Name: r.name, Kind: DatabaseRole, Owner: DboUser, Fixed: true})
	}
	for id, name := range []string{"", "dbo", "guest", "INFORMATION_SCHEMA", "sys"} {
		if id > 0 {
			db.putSchema(&Schema{ID: int32(id), Name: name, Owner: int32(id)})
		}
	}
	for _, r := range roles {
		db.putSchema(&Schema{ID: r.id, Name: r.name, Owner: r.id})
	}
	db.setMember(RoleOwner, DboUser, true)
	connect := []int32{DboUser}
	if db.ID <= 4 && db.Name != "model" { // guest is enabled in master, tempdb and msdb
		connect = append(connect, GuestUser)
	}
	for _, id := range connect {
		db.grants.rows.Set(Permission{Grantee: id, Grantor: DboUser, Name: "CONNECT", State: Granted})
	}
}

// PrincipalByName returns a user or role, or nil.
func (db *Database) PrincipalByName(name string) *Principal {
	return named(&db.users, db.Collation, name, func(p *Principal) string { return p.Name })
}

// PrincipalByID returns a user or role, or nil.
func (db *Database) PrincipalByID(id int32) *Principal {
	p, _ := db.users.Get(id)
	return p
}

// Principals yields the users and roles by id.
func (db *Database) Principals() iter.Seq2[int32, *Principal] { return ordered(&db.users) }

// PutPrincipal adds a principal (ID 0) or replaces the one with the same id. Ids of dropped principals are reused.
func (db *Database) PutPrincipal(u Undoer, p *Principal) {
	if p.ID == 0 {
		for p.ID = SysUser + 1; db.PrincipalByID(p.ID) != nil; p.ID++ {
		}
	}
	old, had := db.users.Set(p.ID, p)
	db.touch(u, func() {
		if had {
			db.users.Set(p.ID, old)
		} else {
			db.users.Delete(p.ID)
		}
	})
}

// RemovePrincipal drops a user or role with its memberships and what was granted to or on it.
func (db *Database) RemovePrincipal(u Undoer, p *Principal) {
	for role, member := range db.Members() {
		if role == p.ID || member == p.ID {
			db.SetMember(u, role, member, false)
		}
	}
	db.grants.removeSecurable(u, ClassPrincipal, p.ID)
	db.grants.removeGrantee(u, p.ID)
	db.users.Delete(p.ID)
	db.touch(u, func() { db.users.Set(p.ID, p) })
}

// Members yields role and member ids, ordered by role, as they were when the loop began.
func (db *Database) Members() iter.Seq2[int32, int32] {
	keys := db.members.Keys()
	return func(yield func(int32, int32) bool) {
		for _, k := range keys {
			if !yield(int32(k>>32), int32(k)) {
				return
			}
		}
	}
}

// SetMember adds a principal to a role or removes it.
func (db *Database) SetMember(u Undoer, role, member int32, in bool) {
	was := db.setMember(role, member, in)
	db.touch(u, func() { db.setMember(role, member, was) })
}

func (db *Database) setMember(role, member int32, in bool) (was bool) {
	key := int64(role)<<32 | int64(member)
	if in {
		_, was = db.members.Set(key, struct{}{})
		return was
	}
	_, was = db.members.Delete(key)
	return was
}

// RolesOf returns a principal, public and every role it is in, directly or through roles, by id.
func (db *Database) RolesOf(principal int32) []int32 {
	out := []int32{PublicRole}
	if principal != PublicRole {
		out = append(out, principal)
	}
	for i := 0; i < len(out); i++ {
		for role, member := range db.Members() {
			if member == out[i] && !slices.Contains(out, role) {
				out = append(out, role)
			}
		}
	}
	slices.Sort(out)
	return out
}

// IsMember reports whether a principal is in a role, directly or through roles.
func (db *Database) IsMember(principal, role int32) bool {
	return slices.Contains(db.RolesOf(principal), role)
}

// IsDirectMember reports whether a principal is a member of a role itself.
func (db *Database) IsDirectMember(principal, role int32) bool {
	_, ok := db.members.Get(int64(role)<<32 | int64(principal))
	return ok
}

// UserToken returns the token of a user that is impersonated in this database only.
func (db *Database) UserToken(user int32) Token {
	t := Token{Database: db, User: user, Roles: db.RolesOf(user), Dbo: user == DboUser}
	if p := db.PrincipalByID(user); p != nil {
		t.Name = p.Name
	}
	return t
}

// LoginToken returns the token of a login; false when it has no user in this database (916).
func (db *Database) LoginToken(l *Login) (Token, bool) {
	p := db.UserOf(l.ID)
	if p == nil {
		return Token{}, false
	}
	t := db.UserToken(p.ID)
	t.Login, t.Sysadmin = l.ID, l.Sysadmin
	return t, true
}

// UserOf returns the user that a login is in this database: dbo for the owner and for sysadmin,
// the user with its SID, guest where guest may connect; nil when it has no access (916).
func (db *Database) UserOf(login int32) *Principal {
	l := db.Server.LoginByID(login)
	if l == nil {
		return nil
	}
	if l.Sysadmin || login == db.Owner {
		return db.PrincipalByID(DboUser)
	}
	for _, p := range db.Principals() {
		if p.Kind == SQLUser && p.ID > SysUser && p.SID == l.SID {
			if db.Allowed(db.UserToken(p.ID), "CONNECT", OnDatabase()) {
				return p
			}
			return nil
		}
	}
	if db.Granted(OnDatabase(), "CONNECT", GuestUser) == Granted {
		return db.PrincipalByID(GuestUser)
	}
	return nil
}

// LoginOf returns the login of a user, or nil if the user has none.
func (db *Database) LoginOf(p *Principal) *Login {
	if p.ID == DboUser {
		return db.Server.LoginByID(db.Owner)
	}
	if p.ID <= SysUser || p.WithoutLogin {
		return nil
	}
	return db.Server.LoginBySID(p.SID)
}

// UserSID returns the SID of a user without login: a fixed prefix and 16 unique bytes.
func UserSID(guid [16]byte) string {
	return "\x01\x05\x00\x00\x00\x00\x00\x09\x03\x00\x00\x00" + string(guid[:])
}

// SIDString returns a SID as S-1-9-3-…, which is what SUSER_SNAME returns if no login has it.
func SIDString(sid string) string {
	if len(sid) < 8 || (len(sid)-8)%4 != 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "S-%d-%d", sid[0], sid[7])
	for i := 8; i < len(sid); i += 4 {
		fmt.Fprintf(&b, "-%d", binary.LittleEndian.Uint32([]byte(sid[i:i+4])))
	}
	return b.String()
}
