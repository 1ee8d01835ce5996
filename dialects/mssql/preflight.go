package mssql

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/templates"
)

// facts are what an installation must know about server and database.
type facts struct {
	Edition       int    // SERVERPROPERTY('EngineEdition')
	Version       string // SERVERPROPERTY('ProductVersion')
	DatabaseID    int
	Database      string
	Compatibility int
	Broker        bool
	Distributor   bool
	AutoClose     bool
	Updateability string // READ_WRITE or READ_ONLY
	User          string
	Login         string
	Owner         bool // dbo or member of db_owner
}

// factsQuery reads all facts at once. IS_ROLEMEMBER also finds membership through a
// Windows group.
const factsQuery = `SELECT CAST(SERVERPROPERTY('EngineEdition') AS int),
    CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(128)),
    CAST(d.database_id AS int), d.name, CAST(d.compatibility_level AS int), d.is_broker_enabled, d.is_distributor, d.is_auto_close_on,
    CAST(DATABASEPROPERTYEX(d.name, 'Updateability') AS nvarchar(128)),
    USER_NAME(), ORIGINAL_LOGIN(),
    CAST(CASE WHEN USER_ID() = 1 OR IS_ROLEMEMBER(N'db_owner') = 1 THEN 1 ELSE 0 END AS bit)
FROM sys.databases AS d
WHERE d.database_id = DB_ID();`

func (s *scheduler) facts(ctx context.Context) (facts, error) { return s.factsOn(ctx, s.DB) }

func (s *scheduler) factsOn(ctx context.Context, on client.Querier) (facts, error) {
	var f facts
	err := on.QueryRowContext(ctx, factsQuery).Scan(&f.Edition, &f.Version, &f.DatabaseID, &f.Database, &f.Compatibility,
		&f.Broker, &f.Distributor, &f.AutoClose, &f.Updateability, &f.User, &f.Login, &f.Owner)
	return f, s.Failed(ctx, "reading the database's properties", err)
}

// Engine editions with special handling (SERVERPROPERTY, learn.microsoft.com).
const (
	azureDatabase   = 5
	managedInstance = 8
	fabricDatabase  = 12
)

// findings lists everything that prevents an installation, except a broker that is off:
// Install turns it on.
func (f facts) findings() []dialects.Finding {
	var all []dialects.Finding
	add := func(remedy, format string, args ...any) {
		all = append(all, dialects.Finding{Text: fmt.Sprintf(format, args...), Remedy: remedy})
	}
	switch f.Edition {
	case azureDatabase, fabricDatabase:
		add("", "this is Azure SQL Database, which has no Service Broker. Use SQL Server or Azure SQL Managed Instance")
		return all
	case 2, 3, 4, managedInstance: // Standard and Web, Enterprise and Developer, Express
	default:
		add("", "engine edition %d is not known to have Service Broker. Use SQL Server or Azure SQL Managed Instance", f.Edition)
		return all
	}
	// A managed instance always calls itself 12.0, and is always current.
	if f.Edition != managedInstance && versionLess(f.Version, minVersion) {
		add("", "the server is version %s, but dbsched needs SQL Server 2016 SP1 (%s) or later", f.Version, minVersion)
	}
	if f.Compatibility < minCompatibility {
		add(fmt.Sprintf("ALTER DATABASE %s SET COMPATIBILITY_LEVEL = %d;", templates.QuoteIdent(f.Database), minCompatibility),
			"the compatibility level of database %s is %d, but must be at least %d", f.Database, f.Compatibility, minCompatibility)
	}
	if f.DatabaseID <= 4 || f.Distributor {
		add("", "%s is a system database. Name another one in the DSN (?database=...)", f.Database)
	}
	if f.Updateability != "READ_WRITE" {
		add(fmt.Sprintf("ALTER DATABASE %s SET READ_WRITE;", templates.QuoteIdent(f.Database)),
			"database %s is read-only. If it is a secondary replica, connect to the primary", f.Database)
	}
	if f.AutoClose {
		add(fmt.Sprintf("ALTER DATABASE %s SET AUTO_CLOSE OFF;", templates.QuoteIdent(f.Database)),
			"AUTO_CLOSE is ON for database %s: it closes when it has no sessions, and a closed database starts no task", f.Database)
	}
	if !f.Owner {
		add(f.ownerRemedy(), "user %s must be a member of db_owner to install, upgrade or uninstall", f.User)
	}
	return all
}

// ownerRemedy adds a user to db_owner, and creates it if needed: a login through a group,
// or as guest, has no database user.
func (f facts) ownerRemedy() string {
	if f.User == "guest" || f.User == "" || strings.Contains(f.Login, `\`) && f.User == f.Login {
		return fmt.Sprintf("IF DATABASE_PRINCIPAL_ID(%s) IS NULL CREATE USER %s FOR LOGIN %s;\nALTER ROLE db_owner ADD MEMBER %s;",
			templates.QuoteString(f.Login), templates.QuoteIdent(f.Login), templates.QuoteIdent(f.Login), templates.QuoteIdent(f.Login))
	}
	return fmt.Sprintf("ALTER ROLE db_owner ADD MEMBER %s;", templates.QuoteIdent(f.User))
}

const (
	minVersion       = "13.0.4001" // 2016 SP1: CREATE OR ALTER in every edition
	minCompatibility = 130
)

// versionLess compares dotted versions number by number.
func versionLess(a, b string) bool {
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := range bs {
		if i >= len(as) {
			return true
		}
		x, _ := strconv.Atoi(as[i])
		y, _ := strconv.Atoi(bs[i])
		if x != y {
			return x < y
		}
	}
	return false
}
