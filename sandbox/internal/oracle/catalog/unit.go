package catalog

import "github.com/dbsched/dbsched/sandbox/internal/oracle/ast"

// View is the definition of a view.
type View struct {
	Text        string // the query as written
	Query       *ast.Query
	Columns     []Column // names and types; those without Named are missing while the view has errors
	Named       bool     // CREATE VIEW named the columns
	ReadOnly    bool
	CheckOption bool
	Errors      []CompileError
	Comment     string
	Compiled    any // package plan's
}

// Synonym is another name of an object, which need not exist.
type Synonym struct{ Owner, Name string }

// Unit is a stored unit: a package, package body, procedure, function or type.
type Unit struct {
	Kind        ast.ObjectKind
	Source      string // from the unit's first word, as USER_SOURCE has it
	Node        *ast.CreateUnit
	CurrentUser bool // AUTHID CURRENT_USER: runs with the caller's rights
	Errors      []CompileError
	Compiled    any     // package plsql's; changed in place
	Table       *Object // of a trigger
	Disabled    bool    // of a trigger; changed in place
}

// CompileError is a row of USER_ERRORS.
type CompileError struct {
	Line, Position int
	Text           string
	Attribute      string // ERROR or WARNING
	Number         int    // MESSAGE_NUMBER
}
