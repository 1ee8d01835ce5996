package catalog

import (
	"time"
)

// Login is a server principal.
type Login struct {
	ID        int32 // sa is 1
	Name      string
	SID       string // raw bytes
	Password  string // checked as it is: this is no production server
	Role      bool   // a fixed server role (public 2, sysadmin 3 …)
	Sysadmin  bool
	Disabled  bool
	DefaultDB string
	Created   time.Time
	Modified  time.Time
}

// PrincipalKind is the sort of a database principal: sys.database_principals.type.
type PrincipalKind byte

// The sorts of database principals.
const (
	SQLUser      PrincipalKind = 'S'
	DatabaseRole PrincipalKind = 'R'
)

// Principal is a user or role of a database. Principals are immutable and replaced as a whole.
type Principal struct {
	ID            int32
	Name          string
	Kind          PrincipalKind
	SID           string // raw bytes; empty for none
	WithoutLogin  bool   // CREATE USER … WITHOUT LOGIN
	DefaultSchema string
	Owner         int32 // of a role
	Fixed         bool  // a fixed database role, or a principal of the system
	Created       time.Time
	Modified      time.Time
}

// The principals and schemas that every database has.
const (
	PublicRole       int32 = 0
	DboUser          int32 = 1
	GuestUser        int32 = 2
	InformationUser  int32 = 3
	SysUser          int32 = 4
	RoleOwner        int32 = 16384 // db_owner
	RoleAccessAdmin  int32 = 16385
	RoleSecAdmin     int32 = 16386
	RoleDDLAdmin     int32 = 16387
	RoleBackup       int32 = 16389
	RoleReader       int32 = 16390
	RoleWriter       int32 = 16391
	RoleDenyReader   int32 = 16392
	RoleDenyWriter   int32 = 16393
	DboSchema        int32 = 1
	GuestSchema      int32 = 2
	InformationSchem int32 = 3
	SysSchema        int32 = 4
)

// Token is who a piece of work runs as in one database.
type Token struct {
	Database *Database
	User     int32   // the database principal
	Name     string  // of the user
	Roles    []int32 // the user, public and every role it is in, directly or not, by id
	Dbo      bool    // it is dbo: nothing is checked
	Login    int32   // the login behind it; 0 when impersonating a user in the database only
	Sysadmin bool
}
