package catalog

import "github.com/dbsched/dbsched/sandbox/internal/sqlerr"

// Texts are those of Database Error Messages 19c.

// ErrNameUsed is ORA-00955.
func ErrNameUsed() *sqlerr.Error {
	return sqlerr.New(955, "name is already used by an existing object")
}

// ErrConstraintUsed is ORA-02264.
func ErrConstraintUsed() *sqlerr.Error {
	return sqlerr.New(2264, "name already used by an existing constraint")
}

// ErrNoTable is ORA-00942.
func ErrNoTable() *sqlerr.Error { return sqlerr.New(942, "table or view does not exist") }

// ErrPrivileges is ORA-01031.
func ErrPrivileges() *sqlerr.Error { return sqlerr.New(1031, "insufficient privileges") }

// ErrNoSpace is ORA-01950: the owner has no quota.
func ErrNoSpace(tablespace string) *sqlerr.Error {
	return sqlerr.New(1950, "no privileges on tablespace '%s'", tablespace)
}
