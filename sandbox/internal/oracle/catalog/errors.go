package catalog

import (
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// Texts are those of Database Error Messages 19c.

// ErrNameUsed is ORA-00955.
func ErrNameUsed() *sqlerr.Error {
	return message.ORA(955)
}

// ErrConstraintUsed is ORA-02264.
func ErrConstraintUsed() *sqlerr.Error {
	return message.ORA(2264)
}

// ErrNoTable is ORA-00942.
func ErrNoTable() *sqlerr.Error { return message.ORA(942) }

// ErrPrivileges is ORA-01031.
func ErrPrivileges() *sqlerr.Error { return message.ORA(1031) }

// ErrNoSpace is ORA-01950: the owner has no quota.
func ErrNoSpace(tablespace string) *sqlerr.Error {
	return message.ORA(1950, tablespace)
}
