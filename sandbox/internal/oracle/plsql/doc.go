// Package plsql compiles PL/SQL to Go closures and runs them: anonymous blocks, packages, procedures and functions,
// and the Go bodies of supplied packages. Names are resolved when a unit is compiled; at run time variables are slots
// of activations, and an activation has a link to that of the enclosing subprogram.
//
// Expressions are those of package plan, which calls back for PL/SQL's names; SQL statements are plan's, too, and see
// variables as values that are fixed when the statement starts, like binds.
//
// Errors are panics while code runs: of *sqlerr.Error, which exception handlers catch (except those that are
// Uncaught). The functions of the interface return them.
//
// The reference is the Database PL/SQL Language Reference 19c.
package plsql
