package catalog

import (
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// Message texts are those of sys.messages (learn.microsoft.com "Database engine events and errors").

// PermissionDenied is 229: a permission on an object is missing.
func PermissionDenied(permission string, o *Object) *sqlerr.Error {
	name := "mssqlsystemresource"
	if o.DB != nil {
		name = o.DB.Name
	}
	return message.MS(229, permission, o.Name, name, o.Schema).At(14, 5)
}

// DeniedInDatabase is 262: a permission of the database, such as CREATE TABLE, is missing.
func DeniedInDatabase(permission string, db *Database) *sqlerr.Error {
	return message.MS(262, permission, db.Name)
}

// MayNot is 15247: a permission is missing, as system procedures report it.
func MayNot() *sqlerr.Error {
	return message.MS(15247)
}

// Cannot is 15151: something does not exist, or must not be known to exist. verb is find, alter, drop
// …; kind is user, role, login, schema, service, message type …
func Cannot(verb, kind, name string) *sqlerr.Error {
	return message.MS(15151, verb, kind, name)
}

// NoAccess is 916: a login has no user in a database.
func NoAccess(login, database string) *sqlerr.Error {
	return message.MS(916, login, database).At(14, 2)
}

// Unresolvable is the error of an EXECUTE AS for a user who cannot be resolved now, nil for others: 15404, as for a Windows user of whom no
// domain controller tells anything, or 15517.
func (s *Server) Unresolvable(user string) error {
	switch s.Unresolved[user] {
	case 0:
		return nil
	case 15404:
		return message.MS(15404, user, "0x54b")
	}
	return CannotImpersonate(user)
}

// CannotImpersonate is 15517: EXECUTE AS USER refused.
func CannotImpersonate(user string) *sqlerr.Error {
	return message.MS(15517, user)
}

// CannotImpersonateLogin is 15406: EXECUTE AS LOGIN refused.
func CannotImpersonateLogin(login string) *sqlerr.Error {
	return message.MS(15406, login)
}

// NoSuchObject is 208.
func NoSuchObject(name string) *sqlerr.Error {
	return message.MS(208, name).Ending(sqlerr.Batch)
}
