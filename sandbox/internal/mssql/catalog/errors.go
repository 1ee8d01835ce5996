package catalog

import "github.com/dbsched/dbsched/sandbox/internal/sqlerr"

// Message texts are those of sys.messages (learn.microsoft.com "Database engine events and errors").

// PermissionDenied is 229: a permission on an object is missing.
func PermissionDenied(permission string, o *Object) *sqlerr.Error {
	name := "mssqlsystemresource"
	if o.DB != nil {
		name = o.DB.Name
	}
	return sqlerr.New(229, "The %s permission was denied on the object '%s', database '%s', schema '%s'.",
		permission, o.Name, name, o.Schema).At(14, 5)
}

// DeniedOnColumn is 230: a permission on a column is missing.
func DeniedOnColumn(permission string, o *Object, column string) *sqlerr.Error {
	return sqlerr.New(230, "The %s permission was denied on the column '%s' of the object '%s', database '%s', schema '%s'.",
		permission, column, o.Name, o.DB.Name, o.Schema).At(14, 1)
}

// DeniedInDatabase is 262: a permission of the database, such as CREATE TABLE, is missing.
func DeniedInDatabase(permission string, db *Database) *sqlerr.Error {
	return sqlerr.New(262, "%s permission denied in database '%s'.", permission, db.Name).At(14, 1)
}

// MayNot is 15247: a permission is missing, as system procedures say it.
func MayNot() *sqlerr.Error {
	return sqlerr.New(15247, "User does not have permission to perform this action.")
}

// Cannot is 15151: something does not exist, or must not be known to. verb is find, alter, drop
// …; kind is user, role, login, schema, service, message type …
func Cannot(verb, kind, name string) *sqlerr.Error {
	return sqlerr.New(15151, "Cannot %s the %s '%s', because it does not exist or you do not have permission.", verb, kind, name)
}

// NoAccess is 916: a login is nobody in a database.
func NoAccess(login, database string) *sqlerr.Error {
	return sqlerr.New(916, "The server principal \"%s\" is not able to access the database \"%s\" under the current security context.",
		login, database).At(14, 2)
}

// CannotImpersonate is 15517: EXECUTE AS USER refused.
func CannotImpersonate(user string) *sqlerr.Error {
	return sqlerr.New(15517, "Cannot execute as the database principal because the principal \"%s\" does not exist, "+
		"this type of principal cannot be impersonated, or you do not have permission.", user)
}

// CannotImpersonateLogin is 15406: EXECUTE AS LOGIN refused.
func CannotImpersonateLogin(login string) *sqlerr.Error {
	return sqlerr.New(15406, "Cannot execute as the server principal because the principal \"%s\" does not exist, "+
		"this type of principal cannot be impersonated, or you do not have permission.", login)
}

// NoSuchObject is 208.
func NoSuchObject(name string) *sqlerr.Error {
	return sqlerr.New(208, "Invalid object name '%s'.", name).Ending(sqlerr.Batch)
}
