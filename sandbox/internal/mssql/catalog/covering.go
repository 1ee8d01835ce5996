package catalog

import (
	"slices"
	"strings"
)

// cover is a permission that implies another one.
type cover struct {
	class Class
	name  string
}

// covering returns the permissions that directly imply one: on the same securable, or on what
// contains it. The tables are those of learn.microsoft.com "GRANT Object Permissions", "GRANT
// Schema Permissions", "GRANT Database Permissions", "GRANT Database Principal Permissions",
// "GRANT Type Permissions" and "GRANT Service Broker Permissions".
func covering(c Class, name string, role bool) []cover {
	switch c {
	case ClassObject:
		return coveringObject(name)
	case ClassSchema:
		return coveringSchema(name)
	case ClassDatabase:
		return coveringDatabase(name)
	case ClassType:
		switch name {
		case "CONTROL":
			return []cover{{ClassSchema, "CONTROL"}}
		case "EXECUTE", "REFERENCES", "VIEW DEFINITION":
			return []cover{{c, "CONTROL"}, {ClassSchema, name}}
		}
		return []cover{{c, "CONTROL"}, {ClassSchema, "CONTROL"}}
	case ClassPrincipal:
		return inDatabase(c, name, map[bool]string{true: "ALTER ANY ROLE", false: "ALTER ANY USER"}[role])
	case ClassMessageType:
		return inDatabase(c, name, "ALTER ANY MESSAGE TYPE")
	case ClassContract:
		return inDatabase(c, name, "ALTER ANY CONTRACT")
	case ClassService:
		return inDatabase(c, name, "ALTER ANY SERVICE")
	default:
	}
	return nil
}

// inDatabase covers securables that belong to the database but to no schema.
func inDatabase(c Class, name, alterAny string) []cover {
	switch name {
	case "CONTROL":
		return []cover{{ClassDatabase, "CONTROL"}}
	case "ALTER":
		return []cover{{c, "CONTROL"}, {ClassDatabase, alterAny}}
	case "VIEW DEFINITION", "REFERENCES":
		return []cover{{c, "CONTROL"}, {ClassDatabase, name}}
	}
	return []cover{{c, "CONTROL"}, {ClassDatabase, "CONTROL"}}
}

func coveringObject(name string) []cover {
	switch name {
	case "CONTROL":
		return []cover{{ClassSchema, "CONTROL"}}
	case "SELECT":
		return []cover{{ClassObject, "RECEIVE"}, {ClassObject, "CONTROL"}, {ClassSchema, "SELECT"}}
	case "RECEIVE", "TAKE OWNERSHIP":
		return []cover{{ClassObject, "CONTROL"}, {ClassSchema, "CONTROL"}}
	}
	return []cover{{ClassObject, "CONTROL"}, {ClassSchema, name}}
}

func coveringSchema(name string) []cover {
	switch name {
	case "CONTROL":
		return []cover{{ClassDatabase, "CONTROL"}}
	case "ALTER":
		return []cover{{ClassSchema, "CONTROL"}, {ClassDatabase, "ALTER ANY SCHEMA"}}
	case "CREATE SEQUENCE":
		return []cover{{ClassSchema, "ALTER"}, {ClassDatabase, "ALTER ANY SCHEMA"}}
	case "TAKE OWNERSHIP":
		return []cover{{ClassSchema, "CONTROL"}, {ClassDatabase, "CONTROL"}}
	}
	return []cover{{ClassSchema, "CONTROL"}, {ClassDatabase, name}}
}

func coveringDatabase(name string) []cover {
	control := cover{ClassDatabase, "CONTROL"}
	switch name {
	case "CONTROL":
		return nil
	case "CREATE ROLE", "CREATE SCHEMA", "CREATE CONTRACT", "CREATE MESSAGE TYPE", "CREATE SERVICE", "CREATE CERTIFICATE", "CREATE USER":
		return []cover{{ClassDatabase, "ALTER ANY" + strings.TrimPrefix(name, "CREATE")}}
	case "CREATE TABLE", "CREATE VIEW", "CREATE PROCEDURE", "CREATE FUNCTION", "CREATE TYPE", "CREATE QUEUE",
		"CREATE SYNONYM", "CREATE DEFAULT", "CREATE RULE", "ALTER ANY ROLE", "ALTER ANY USER", "ALTER ANY SCHEMA",
		"ALTER ANY CONTRACT", "ALTER ANY MESSAGE TYPE", "ALTER ANY SERVICE", "ALTER ANY ROUTE", "ALTER ANY CERTIFICATE",
		"ALTER ANY APPLICATION ROLE", "ALTER ANY DATABASE DDL TRIGGER", "CHECKPOINT":
		return []cover{{ClassDatabase, "ALTER"}}
	}
	return []cover{control}
}

// objectPermissions are the permissions that objects can have.
var objectPermissions = []string{
	"SELECT", "INSERT", "UPDATE", "DELETE", "EXECUTE", "REFERENCES", "RECEIVE",
	"VIEW DEFINITION", "ALTER", "TAKE OWNERSHIP", "CONTROL",
}

// fixedRolePermissions are what the fixed database roles have on the database
// (learn.microsoft.com "Database-Level Roles").
var fixedRolePermissions = []struct {
	role  int32
	deny  bool
	names []string
}{
	{role: RoleOwner, names: []string{"CONTROL"}},
	{role: RoleReader, names: []string{"SELECT"}},
	{role: RoleWriter, names: []string{"INSERT", "UPDATE", "DELETE"}},
	{role: RoleDenyReader, deny: true, names: []string{"SELECT"}},
	{role: RoleDenyWriter, deny: true, names: []string{"INSERT", "UPDATE", "DELETE"}},
	{role: RoleAccessAdmin, names: []string{"ALTER ANY USER", "CREATE SCHEMA", "CONNECT"}},
	{role: RoleSecAdmin, names: []string{"ALTER ANY ROLE", "ALTER ANY APPLICATION ROLE", "CREATE SCHEMA", "VIEW DEFINITION"}},
	{role: RoleBackup, names: []string{"BACKUP DATABASE", "BACKUP LOG", "CHECKPOINT"}},
	{role: RoleDDLAdmin, names: []string{
		"ALTER ANY CERTIFICATE", "ALTER ANY CONTRACT", "ALTER ANY DATABASE DDL TRIGGER", "ALTER ANY MESSAGE TYPE",
		"ALTER ANY ROUTE", "ALTER ANY SCHEMA", "ALTER ANY SERVICE", "CHECKPOINT", "CREATE DEFAULT", "CREATE FUNCTION",
		"CREATE PROCEDURE", "CREATE QUEUE", "CREATE RULE", "CREATE SYNONYM", "CREATE TABLE", "CREATE TYPE", "CREATE VIEW",
		"REFERENCES",
	}},
}

// PermissionCode returns sys.database_permissions.type of a permission name, padded to char(4);
// ok is false for a permission that does not exist.
func PermissionCode(name string) (code string, ok bool) {
	code, ok = permissionCodes[name]
	return code, ok
}

var permissionCodes = map[string]string{
	"SELECT": "SL  ", "INSERT": "IN  ", "UPDATE": "UP  ", "DELETE": "DL  ", "EXECUTE": "EX  ", "REFERENCES": "RF  ",
	"RECEIVE": "RC  ", "SEND": "SN  ", "ALTER": "AL  ", "CONTROL": "CL  ", "TAKE OWNERSHIP": "TO  ",
	"VIEW DEFINITION": "VW  ", "IMPERSONATE": "IM  ", "CONNECT": "CO  ", "CREATE SEQUENCE": "CRSO",
	"CREATE TABLE": "CRTB", "CREATE VIEW": "CRVW", "CREATE PROCEDURE": "CRPR", "CREATE FUNCTION": "CRFN",
	"CREATE TYPE": "CRTY", "CREATE QUEUE": "CRQU", "CREATE SERVICE": "CRSV", "CREATE CONTRACT": "CRSC",
	"CREATE MESSAGE TYPE": "CRMT", "CREATE ROLE": "CRRL", "CREATE CERTIFICATE": "CRCF", "CREATE SCHEMA": "CRSM", "CREATE SYNONYM": "CRSN",
	"CREATE DEFAULT": "CRDF", "CREATE RULE": "CRRU", "CREATE USER": "CUSR", "CREATE DATABASE": "CRDB",
	"ALTER ANY ROLE": "ALRL", "ALTER ANY USER": "ALUS", "ALTER ANY SCHEMA": "ALSM", "ALTER ANY CONTRACT": "ALSC",
	"ALTER ANY MESSAGE TYPE": "ALMT", "ALTER ANY SERVICE": "ALSV", "ALTER ANY ROUTE": "ALRT",
	"ALTER ANY CERTIFICATE": "ALCF", "ALTER ANY APPLICATION ROLE": "ALAR", "ALTER ANY DATABASE DDL TRIGGER": "ALTG",
	"VIEW DATABASE STATE": "VWDS", "SHOWPLAN": "SPLN", "CHECKPOINT": "CP  ", "BACKUP DATABASE": "BADB",
	"BACKUP LOG": "BALO", "AUTHENTICATE": "AUTH",
	"CONTROL SERVER": "CL  ", "VIEW SERVER STATE": "VWSS", "ALTER SERVER STATE": "ALSS", "ALTER ANY CONNECTION": "ALCO",
	"ALTER ANY LOGIN": "ALLG", "ALTER ANY DATABASE": "ALDB", "CREATE ANY DATABASE": "CRDB", "VIEW ANY DATABASE": "VWDB",
	"VIEW ANY DEFINITION": "VWAD", "AUTHENTICATE SERVER": "AUTH", "CONNECT SQL": "COSQ",
	"VIEW SERVER PERFORMANCE STATE": "VSPS", "VIEW SERVER SECURITY STATE": "VSSS",
	"VIEW DATABASE PERFORMANCE STATE": "VDP ", "VIEW DATABASE SECURITY STATE": "VDS ",
}

// Grantable reports whether a permission exists for a class of securables; for objects also
// for their kind.
func Grantable(c Class, k Kind, name string) bool {
	_, exists := permissionCodes[name]
	switch c {
	case ClassObject:
		return grantableOnObject(k, name)
	case ClassSchema:
		switch name {
		case "SELECT", "INSERT", "UPDATE", "DELETE", "EXECUTE", "REFERENCES", "ALTER", "CONTROL", "TAKE OWNERSHIP",
			"VIEW DEFINITION", "CREATE SEQUENCE":
			return true
		}
		return false
	case ClassPrincipal:
		return name == "IMPERSONATE" || name == "ALTER" || name == "CONTROL" || name == "VIEW DEFINITION" || name == "TAKE OWNERSHIP"
	case ClassType:
		return name == "EXECUTE" || name == "REFERENCES" || name == "CONTROL" || name == "VIEW DEFINITION" || name == "TAKE OWNERSHIP"
	case ClassMessageType, ClassContract:
		return name == "REFERENCES" || name == "ALTER" || name == "CONTROL" || name == "VIEW DEFINITION" || name == "TAKE OWNERSHIP"
	case ClassService:
		return name == "SEND" || name == "ALTER" || name == "CONTROL" || name == "VIEW DEFINITION" || name == "TAKE OWNERSHIP"
	case ClassDatabase:
		if IsServerPermission(name) || slices.Contains([]string{"RECEIVE", "SEND", "IMPERSONATE", "CREATE SEQUENCE"}, name) {
			return false
		}
		return exists
	default:
	}
	return exists
}

func grantableOnObject(k Kind, name string) bool {
	switch name {
	case "CONTROL", "VIEW DEFINITION", "TAKE OWNERSHIP", "ALTER":
		return true
	}
	switch k {
	case UserTable, View, InlineFunction:
		return name == "SELECT" || name == "REFERENCES" || name == "INSERT" || name == "UPDATE" || name == "DELETE"
	case Procedure:
		return name == "EXECUTE"
	case ScalarFunction:
		return name == "EXECUTE" || name == "REFERENCES"
	case Queue:
		return name == "SELECT" || name == "RECEIVE" || name == "REFERENCES"
	case SystemViewObject:
		return name == "SELECT"
	default:
	}
	return false
}

// IsServerPermission reports whether a permission belongs to the server, not to a database.
func IsServerPermission(name string) bool {
	switch name {
	case "CONTROL SERVER", "VIEW SERVER STATE", "ALTER SERVER STATE", "ALTER ANY CONNECTION", "ALTER ANY LOGIN", "ALTER ANY DATABASE",
		"CREATE ANY DATABASE", "VIEW ANY DATABASE", "VIEW ANY DEFINITION", "AUTHENTICATE SERVER", "CONNECT SQL",
		"VIEW SERVER PERFORMANCE STATE", "VIEW SERVER SECURITY STATE":
		return true
	}
	return false
}
