package ast

// Query is a SELECT with everything that may follow it: a statement, a cursor's query, a subquery.
type Query struct {
	Pos
	With    []CommonTable
	Body    QueryBody
	OrderBy []OrderItem
	Offset  Expr
	Fetch   *Fetch
	Lock    *RowLock
}

// QueryBody is a *Select, a *SetOperation or a *Query in parentheses.
type QueryBody interface{ Node }

// CommonTable is one query of a WITH clause.
type CommonTable struct {
	Pos
	Name    Name
	Columns []Name
	Query   *Query
}

// SetOperation combines two queries; all operators have the same precedence and group to the left.
type SetOperation struct {
	Pos
	Op          SetOperator
	Left, Right QueryBody
}

// SetOperator is a set operator.
type SetOperator string

// Set operators.
const (
	Union     SetOperator = "UNION"
	UnionAll  SetOperator = "UNION ALL"
	Intersect SetOperator = "INTERSECT"
	Minus     SetOperator = "MINUS"
)

// Select is one query block.
type Select struct {
	Pos
	Hint      string // text of the hint after SELECT, without its comment signs
	Distinct  bool
	Items     []SelectItem
	Into      *Into // PL/SQL only
	From      []TableRef
	Where     Expr
	StartWith Expr
	ConnectBy Expr
	NoCycle   bool
	GroupBy   []Expr
	Having    Expr
}

// SelectItem is a column of a query. Text is the expression as written, from which the engine derives the column's name.
type SelectItem struct {
	Pos
	Value Expr
	Alias *Name
	Text  string
}

// Into says where values go.
type Into struct {
	Pos
	Bulk    bool // BULK COLLECT
	Targets []Expr
}

// OrderItem is one key of an ORDER BY.
type OrderItem struct {
	Pos
	Value Expr
	Desc  bool
	Nulls NullOrder
}

// NullOrder is where nulls sort; if omitted, last if ascending and first if descending.
type NullOrder string

// Orders of nulls.
const (
	NullsFirst NullOrder = "NULLS FIRST"
	NullsLast  NullOrder = "NULLS LAST"
)

// Fetch is FETCH FIRST n ROWS; Count is nil when not written (1).
type Fetch struct {
	Pos
	Count    Expr
	WithTies bool
}

// RowLock is FOR UPDATE.
type RowLock struct {
	Pos
	Of   []*Ref
	Wait LockWait
	Time Expr // seconds of WAIT n
}

// LockWait is what to do about a row that somebody else has locked; if omitted, wait.
type LockWait string

// Ways to wait for a lock.
const (
	Nowait     LockWait = "NOWAIT"
	WaitFor    LockWait = "WAIT"
	SkipLocked LockWait = "SKIP LOCKED"
)

// TableRef is an element of a FROM clause.
type TableRef interface{ Node }

// Table is a table, view, synonym or common table by name.
type Table struct {
	Pos
	Name  *Ref
	Alias *Name
}

// DerivedTable is a query in a FROM clause.
type DerivedTable struct {
	Pos
	Lateral bool
	Query   *Query
	Alias   *Name
}

// Join is an ANSI join.
type Join struct {
	Pos
	Kind        JoinKind
	Left, Right TableRef
	On          Expr
	Using       []Name
}

// JoinKind is the kind of a join.
type JoinKind string

// Kinds of joins.
const (
	InnerJoin JoinKind = "INNER"
	LeftJoin  JoinKind = "LEFT"
	RightJoin JoinKind = "RIGHT"
	FullJoin  JoinKind = "FULL"
	CrossJoin JoinKind = "CROSS"
)

// Insert is INSERT INTO … VALUES or SELECT.
type Insert struct {
	Pos
	Table     *Table
	Columns   []*Ref
	Values    []Expr
	Query     *Query
	Returning *Returning
}

// Update is UPDATE.
type Update struct {
	Pos
	Table     *Table
	Sets      []Assignment
	Where     Expr
	Returning *Returning
}

// Assignment sets a column in UPDATE.
type Assignment struct {
	Pos
	Columns []*Ref
	Value   Expr
}

// Delete is DELETE.
type Delete struct {
	Pos
	Table     *Table
	Where     Expr
	Returning *Returning
}

// Returning is the RETURNING clause.
type Returning struct {
	Pos
	Values []Expr
	Into   *Into
}
