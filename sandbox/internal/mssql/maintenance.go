package mssql

import (
	"slices"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/ddl"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// dbcc runs the commands that change nothing here (learn.microsoft.com, "DBCC (Transact-SQL)"). What CHECKDB and CHECKTABLE print without
// NO_INFOMSGS counts pages, and there are none; nobody says what TABLOCK does beside other sessions.
func (s *Session) dbcc(n *ast.DbccStatement) error {
	has := func(kind string) bool {
		return slices.ContainsFunc(n.Options, func(o *ast.DbccOption) bool { return o.OptionKind == kind })
	}
	command, quiet := strings.ToLower(n.Command), has("NoInfoMessages")
	switch {
	case command == "checkdb" || command == "checktable" && len(n.Literals) > 0:
		db := s.checked(n, command)
		if quiet && (!has("TabLock") || (definer{Session: s}).Users(db) == 0) {
			return nil
		}
	case (command == "freeproccache" || command == "dropcleanbuffers") && s.token().Sysadmin && len(n.Literals) == 0 && len(n.Options) == 1 && quiet:
		return nil
	}
	return sqlerr.NotSupported("this form of DBCC; it models CHECKDB, CHECKTABLE, FREEPROCCACHE and DROPCLEANBUFFERS WITH NO_INFOMSGS")
}

// checked is the database that CHECKDB or CHECKTABLE is about, if it is there and the user may.
func (s *Session) checked(n *ast.DbccStatement, command string) *catalog.Database {
	name, table, db := dbccName(n), (*catalog.Object)(nil), s.db
	if command == "checktable" {
		if table = s.objectNamed(name); table == nil {
			panic(message.MS(2501, name).At(16, 45))
		}
		if table.Kind != catalog.UserTable || table.DB == nil {
			panic(sqlerr.NotSupported("DBCC CHECKTABLE of a view"))
		}
		db = table.DB
	} else if name != "" {
		if db = s.srv.catalog.DatabaseByName(name); db == nil {
			panic(message.MS(2520, name).At(16, 5))
		}
	}
	tok := query.Must(s.who.TokenIn(db))
	switch {
	case tok.Sysadmin || tok.Dbo || tok.Is(catalog.RoleOwner):
	case table == nil:
		panic(message.MS(7983, s.userName(), command, db.Name))
	case !table.Table().Temp && !tok.Is(catalog.RoleDDLAdmin) && !tok.Is(table.Owner):
		panic(message.MS(2557, s.userName(), command, table.Name))
	}
	return db
}

// dbccName is the name that a command is given, "" for the current database.
func dbccName(n *ast.DbccStatement) string {
	word := func(i int) string {
		switch v := n.Literals[i].Value.(type) {
		case *ast.StringLiteral:
			return v.Value
		case *ast.ColumnReferenceExpression:
			return v.MultiPartIdentifier.Identifiers[0].Value
		}
		return "0"
	}
	switch {
	case len(n.Literals) == 0:
		return ""
	case len(n.Literals) > 1 && !strings.EqualFold(word(1), "NOINDEX") || word(0) == "0":
		panic(sqlerr.NotSupported("a repair, an index or a number in DBCC %s", strings.ToUpper(n.Command)))
	}
	return word(0)
}

// backup checks BACKUP (learn.microsoft.com, "BACKUP (Transact-SQL)") and remembers that there is one. It writes no file.
func (s *Session) backup(f *frame, key any, kind string, named *ast.IdentifierOrValueExpression, devices []*ast.DeviceInfo, options []ast.BackupOptionBase) error {
	has := func(kind string) bool {
		return slices.ContainsFunc(options, func(o ast.BackupOptionBase) bool { b, ok := o.(*ast.BackupOption); return ok && b.OptionKind == kind })
	}
	for _, d := range devices {
		query.Must(s.scalar(f, d, d.PhysicalDevice))
	}
	name, log, partial := query.Must(s.nameOrValue(f, key, named)), kind == "LOG", has("Differential")
	db := s.srv.catalog.DatabaseByName(name)
	var tok catalog.Token
	err := error(message.MS(911, name).At(16, map[string]uint8{"DATABASE": 11, "LOG": 10}[kind]))
	if db != nil {
		tok, err = s.who.TokenIn(db)
	}
	switch {
	case err != nil:
	case !db.Allowed(tok, "BACKUP "+kind, catalog.OnDatabase()):
		err = catalog.DeniedInDatabase("BACKUP "+kind, db)
	case db.Name == "tempdb":
		err = message.MS(3147)
	case partial && (log || db.Name == "master"):
		return sqlerr.NotSupported("DIFFERENTIAL of a log or of master")
	case log && db.Name == "master":
		err = message.MS(4212)
	case log && db.Recovery == "SIMPLE":
		err = message.MS(4208)
	case s.tran.Count > 0:
		err = message.MS(3021).At(16, 0)
	case log && !db.BackedUp:
		err = message.MS(4214)
	case partial && !db.BackedUp:
		err = message.MS(3035, db.Name)
	default:
		db.BackedUp = db.BackedUp || !has("CopyOnly")
		return nil
	}
	return &ddl.Chain{Errors: []*sqlerr.Error{s.asSQLError(err), message.MS(3013, "BACKUP "+kind)}}
}

// updateStats is sp_updatestats, of dbo.
func (s *Session) updateStats(_ *frame, c procedureCall) (int64, error) {
	if tok := s.token(); !tok.Sysadmin && !tok.Dbo {
		return 1, catalog.MayNot()
	}
	if r := strings.ToUpper(strings.TrimSpace(c.text("@resample"))); r != "NO" && r != "RESAMPLE" {
		return 1, message.MS(14138, r)
	}
	s.info(15005, 0, 1, 1, "Statistics for all tables have been updated.")
	return 0, nil
}
