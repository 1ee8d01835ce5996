// Package plan turns T-SQL statements that have been parsed into closures over rows: it binds names,
// gives every expression its static type, chooses access paths (and with them, as in SQL Server, what
// is locked) and builds operators of package query. Compiled plans are immutable and may be run by
// many sessions at once; whatever belongs to a run lives in its frame.
//
// What is not modeled is refused when a statement is compiled, with sqlerr.NotSupported.
package plan
