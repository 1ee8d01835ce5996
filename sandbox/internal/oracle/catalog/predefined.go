package catalog

import (
	"slices"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
)

// SystemPrivileges returns the system privileges that can be granted, by name (SQL Language Reference, "GRANT", table
// 18-1), including those for what the sandbox does not model: an administrator's script may grant them.
func SystemPrivileges() []string {
	var out []string
	for _, object := range []string{"CLUSTER", "DIMENSION", "INDEX", "INDEXTYPE", "MATERIALIZED VIEW", "OPERATOR", "PROCEDURE",
		"SEQUENCE", "SYNONYM", "TABLE", "TRIGGER", "TYPE", "VIEW", "LIBRARY", "CONTEXT", "DIRECTORY", "RULE", "RULE SET", "EVALUATION CONTEXT"} {
		for _, verb := range []string{"CREATE ANY ", "DROP ANY "} {
			out = append(out, verb+object)
		}
		switch object {
		case "INDEX", "DIRECTORY", "CONTEXT":
		default:
			out = append(out, "CREATE "+object)
		}
		switch object {
		case "SYNONYM", "VIEW", "CONTEXT", "DIRECTORY":
		default:
			out = append(out, "ALTER ANY "+object)
		}
	}
	out = append(out, strings.Split("CREATE SESSION,ALTER SESSION,RESTRICTED SESSION,ALTER SYSTEM,ALTER DATABASE,AUDIT ANY,AUDIT SYSTEM,"+
		"CREATE USER,ALTER USER,DROP USER,BECOME USER,CREATE ROLE,ALTER ANY ROLE,DROP ANY ROLE,GRANT ANY ROLE,GRANT ANY PRIVILEGE,"+
		"GRANT ANY OBJECT PRIVILEGE,CREATE PROFILE,ALTER PROFILE,DROP PROFILE,CREATE TABLESPACE,ALTER TABLESPACE,DROP TABLESPACE,"+
		"MANAGE TABLESPACE,UNLIMITED TABLESPACE,CREATE PUBLIC SYNONYM,DROP PUBLIC SYNONYM,CREATE DATABASE LINK,CREATE PUBLIC DATABASE LINK,"+
		"DROP PUBLIC DATABASE LINK,SELECT ANY TABLE,READ ANY TABLE,INSERT ANY TABLE,UPDATE ANY TABLE,DELETE ANY TABLE,LOCK ANY TABLE,"+
		"COMMENT ANY TABLE,BACKUP ANY TABLE,FLASHBACK ANY TABLE,UNDER ANY TABLE,UNDER ANY TYPE,UNDER ANY VIEW,SELECT ANY SEQUENCE,"+
		"EXECUTE ANY PROCEDURE,EXECUTE ANY TYPE,EXECUTE ANY OPERATOR,EXECUTE ANY INDEXTYPE,EXECUTE ANY LIBRARY,"+
		"DEBUG CONNECT SESSION,DEBUG ANY PROCEDURE,SELECT ANY DICTIONARY,ANALYZE ANY,ANALYZE ANY DICTIONARY,SELECT ANY TRANSACTION,"+
		"FORCE TRANSACTION,FORCE ANY TRANSACTION,RESUMABLE,QUERY REWRITE,GLOBAL QUERY REWRITE,ON COMMIT REFRESH,ADVISOR,"+
		"ADMINISTER DATABASE TRIGGER,CREATE JOB,CREATE ANY JOB,CREATE EXTERNAL JOB,MANAGE SCHEDULER,EXECUTE ANY CLASS,"+
		"EXECUTE ANY PROGRAM,ENQUEUE ANY QUEUE,DEQUEUE ANY QUEUE,MANAGE ANY QUEUE,CHANGE NOTIFICATION,EXEMPT ACCESS POLICY,"+
		"INHERIT ANY PRIVILEGES,SET CONTAINER,CREATE CREDENTIAL,CREATE ANY CREDENTIAL", ",")...)
	slices.Sort(out)
	return out
}

// IsSystemPrivilege reports whether there is a system privilege of that name.
func IsSystemPrivilege(name string) bool {
	_, ok := slices.BinarySearch(SystemPrivileges(), name)
	return ok
}

// ObjectPrivileges returns the privileges that an object of a kind can have (SQL Language Reference, "GRANT", table
// 18-2).
func ObjectPrivileges(kind ast.ObjectKind) []string {
	switch kind {
	case ast.KindTable:
		return []string{"ALTER", "DEBUG", "DELETE", "FLASHBACK", "INDEX", "INSERT", "ON COMMIT REFRESH", "QUERY REWRITE", "READ", "REFERENCES", "SELECT", "UPDATE"}
	case ast.KindView:
		return []string{"DEBUG", "DELETE", "FLASHBACK", "INSERT", "MERGE VIEW", "READ", "REFERENCES", "SELECT", "UNDER", "UPDATE"}
	case ast.KindSequence:
		return []string{"ALTER", "SELECT"}
	case ast.KindPackage, ast.KindProcedure, ast.KindFunction, ast.KindType:
		return []string{"DEBUG", "EXECUTE"}
	case KindJob: // Database Administrator's Guide, "Scheduler Object Privileges"
		return []string{"ALTER"}
	}
	return nil
}

// IsObjectPrivilege reports whether any object can have a privilege of that name.
func IsObjectPrivilege(name string) bool {
	for _, k := range []ast.ObjectKind{ast.KindTable, ast.KindView, ast.KindSequence, ast.KindPackage} {
		if slices.Contains(ObjectPrivileges(k), name) {
			return true
		}
	}
	return false
}

// addPredefined adds SYS, SYSTEM, PUBLIC and the predefined roles (Database Security Guide, "Predefined Roles in an
// Oracle Database Installation").
func (c *Catalog) addPredefined() {
	roles := map[string][]string{
		Public:                nil,
		"CONNECT":             {"CREATE SESSION", "SET CONTAINER"},
		"SELECT_CATALOG_ROLE": nil,
		"RESOURCE": {"CREATE CLUSTER", "CREATE INDEXTYPE", "CREATE OPERATOR", "CREATE PROCEDURE", "CREATE SEQUENCE", "CREATE TABLE",
			"CREATE TRIGGER", "CREATE TYPE"},
		"AQ_USER_ROLE":          nil,
		"AQ_ADMINISTRATOR_ROLE": {"DEQUEUE ANY QUEUE", "ENQUEUE ANY QUEUE", "MANAGE ANY QUEUE"},
		"SCHEDULER_ADMIN": {"CREATE JOB", "CREATE ANY JOB", "CREATE EXTERNAL JOB", "EXECUTE ANY CLASS", "EXECUTE ANY PROGRAM",
			"MANAGE SCHEDULER"},
		// UNLIMITED TABLESPACE cannot be in a role: GRANT DBA gives it directly.
		"DBA": slices.DeleteFunc(SystemPrivileges(), func(p string) bool { return p == "UNLIMITED TABLESPACE" }),
	}
	for _, name := range []string{Public, "CONNECT", "SELECT_CATALOG_ROLE", "RESOURCE", "AQ_USER_ROLE", "AQ_ADMINISTRATOR_ROLE", "SCHEDULER_ADMIN", "DBA"} {
		u := &User{Name: name, Role: true}
		c.must(c.CreateUser(u))
		for _, p := range roles[name] {
			c.GrantSystem(u, p, name == "DBA" || name == "AQ_ADMINISTRATOR_ROLE" || name == "SCHEDULER_ADMIN")
		}
	}
	c.must(c.GrantRole(c.Grantee("DBA"), "SELECT_CATALOG_ROLE", true))
	for _, name := range []string{Sys, "SYSTEM"} {
		u := &User{Name: name, DefaultTablespace: "SYSTEM"}
		c.must(c.CreateUser(u))
		c.GrantSystem(u, "UNLIMITED TABLESPACE", true)
		c.must(c.GrantRole(u, "DBA", true))
	}
}

// must panics on errors that cannot occur while the catalog is new.
func (c *Catalog) must(err error) {
	if err != nil {
		panic(err)
	}
}
