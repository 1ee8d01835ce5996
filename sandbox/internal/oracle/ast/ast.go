// Package ast is the syntax tree of the Oracle SQL and PL/SQL that the sandbox models. Nodes are plain structs: every field that is set
// represents something that was written, and something in the engine reads it (TestRead).
package ast

import "strings"

// Pos is where a node begins. Inside a stored unit (package, procedure, function, type) it counts from the
// unit's first word after CREATE, as USER_SOURCE, USER_ERRORS and error stacks do; elsewhere from the text's first byte.
type Pos struct {
	Offset int // in bytes, from 0
	Line   int // from 1
	Column int // in bytes, from 1
}

// Position returns p; embedding Pos makes a node of a struct.
func (p Pos) Position() Pos { return p }

// Node is any part of a tree.
type Node interface{ Position() Pos }

// Statement is a SQL statement, a PL/SQL statement or a block.
type Statement interface{ Node }

// Expr is an expression or a condition.
type Expr interface{ Node }

// Name is one identifier. Text is folded to upper case unless it was quoted.
type Name struct {
	Pos
	Text   string
	Quoted bool
}

// Ref is a dotted name: a column, variable, table, type, package member or function without arguments.
type Ref struct {
	Pos
	Parts []Name
}

// String writes the parts with dots between them, as the engine's messages do.
func (r *Ref) String() string {
	if len(r.Parts) == 1 {
		return r.Parts[0].Text
	}
	var b strings.Builder
	for i, p := range r.Parts {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(p.Text)
	}
	return b.String()
}

// Word returns the text of an unquoted name of one part, "" for any other.
func (r *Ref) Word() string {
	if len(r.Parts) != 1 || r.Parts[0].Quoted {
		return ""
	}
	return r.Parts[0].Text
}

// DataType is a data type as written. Intervals and DOUBLE PRECISION have their words in one name;
// an interval's leading precision is Precision, its fractional seconds' is Scale.
type DataType struct {
	Pos
	Name             *Ref
	Precision, Scale Expr       // length of a string, precision and scale of a number; static expressions in PL/SQL
	AnyPrecision     bool       // NUMBER(*, s)
	Unit             LengthUnit // of a string's length
	Zoned            bool       // TIMESTAMP WITH TIME ZONE
	Anchor           Anchor
}

// LengthUnit says what the length of a string counts.
type LengthUnit string

// Units of length; none written means what NLS_LENGTH_SEMANTICS says.
const (
	Bytes LengthUnit = "BYTE"
	Chars LengthUnit = "CHAR"
)

// Anchor says that a type is the type of something else.
type Anchor string

// Anchors of a PL/SQL type.
const (
	AnchorType    Anchor = "%TYPE"
	AnchorRowType Anchor = "%ROWTYPE"
)
