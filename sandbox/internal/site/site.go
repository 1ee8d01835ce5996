// Package site says what surrounds an engine: its server, its domain, and what the operator has set.
package site

// Site is what surrounds an engine. Its zero fields are as they are by default.
type Site struct {
	Server string   // the server's name; on Oracle the container database's. After a failover or a move it is another
	GUID   [16]byte // mirroring_guid of the user database; on Oracle the container's GUID

	// Unresolved users cannot be impersonated, with error 15404 (no domain controller answers) or 15517; only for SQL Server.
	Unresolved map[string]int

	// Only for Oracle.
	Refused    string            // dynamic statements that contain it fail as they are parsed: ORA-00018, no session for recursive ones
	Parameters map[string]string // initialization parameters
	Limits     map[string]string // resource limits of every user's profile
	Edition    string            // of every session; all users are then enabled for editions
}
