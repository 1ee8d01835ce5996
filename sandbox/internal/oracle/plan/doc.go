// Package plan compiles Oracle's SQL expressions, queries and DML into closures and operators, and the expressions
// of PL/SQL, which have the same functions but other rules. Compiled things are immutable and may run many times
// at once; what belongs to one run is in its query.Frame.
//
// The reference is the SQL Language Reference, 19c, and for PL/SQL the Database PL/SQL Language Reference.
package plan
