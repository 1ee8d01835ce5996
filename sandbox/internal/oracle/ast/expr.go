package ast

// Number is a numeric literal as written.
type Number struct {
	Pos
	Text string
}

// String is a text literal, with its quotes resolved. National means N'…'.
type String struct {
	Pos
	Value    string
	National bool
}

// DateTime is DATE '…' or TIMESTAMP '…'.
type DateTime struct {
	Pos
	Kind  DateTimeKind
	Value string
}

// DateTimeKind is the word before a date literal.
type DateTimeKind string

// Kinds of date literals.
const (
	DateLiteral      DateTimeKind = "DATE"
	TimestampLiteral DateTimeKind = "TIMESTAMP"
)

// Interval is INTERVAL '…' with its qualifier.
type Interval struct {
	Pos
	Value     string
	Qualifier IntervalQualifier
}

// IntervalQualifier is DAY(3) TO SECOND(2) and the like. To is empty for a single field.
type IntervalQualifier struct {
	Pos
	From, To          IntervalField
	Precision, Second *Number // leading and fractional seconds precision
}

// IntervalField is a field of an interval or date.
type IntervalField string

// Null is NULL.
type Null struct{ Pos }

// Bool is TRUE or FALSE (PL/SQL only).
type Bool struct {
	Pos
	Value bool
}

// Bind is a bind variable, without its colon, folded to upper case.
type Bind struct {
	Pos
	Name string
}

// Star is * or t.*.
type Star struct {
	Pos
	Of *Ref
}

// Arg is an argument, by position or by name.
type Arg struct {
	Pos
	Name  *Name
	Value Expr
}

// Call is anything followed by parentheses: a function, a constructor, a conversion, a collection's element.
// Only name resolution can tell which.
type Call struct {
	Pos
	Func     Expr // *Ref, or what an element or a returned object is taken from
	Args     []Arg
	Distinct bool
	Within   []OrderItem // WITHIN GROUP
	Keep     *Keep
	Over     *Window
}

// Keep is KEEP (DENSE_RANK FIRST | LAST ORDER BY …).
type Keep struct {
	Pos
	Last    bool
	OrderBy []OrderItem
}

// Window is OVER (…).
type Window struct {
	Pos
	PartitionBy []Expr
	OrderBy     []OrderItem
}

// Field is a name after a dot that follows a call: f(x).name.
type Field struct {
	Pos
	Of   Expr
	Name Name
}

// Attribute is a cursor's attribute: c%FOUND, SQL%ROWCOUNT, SQL%BULK_EXCEPTIONS.
type Attribute struct {
	Pos
	Of   Expr
	Name Name
}

// Unary is +x, -x, NOT x or PRIOR x.
type Unary struct {
	Pos
	Op Op
	X  Expr
}

// Binary is an operator between two operands. != ^= ~= are written "<>".
type Binary struct {
	Pos
	Op   Op
	X, Y Expr
}

// Op is an operator.
type Op string

// Tuple is (a, b).
type Tuple struct {
	Pos
	Items []Expr
}

// Case is a CASE expression; Operand is nil in a searched one.
type Case struct {
	Pos
	Operand Expr
	Whens   []When
	Else    Expr
}

// When is one branch of a CASE expression.
type When struct {
	Pos
	Cond, Result Expr
}

// Cast is CAST(x AS type).
type Cast struct {
	Pos
	X    Expr
	Type *DataType
}

// Extract is EXTRACT(field FROM x).
type Extract struct {
	Pos
	Field IntervalField
	X     Expr
}

// Between is x [NOT] BETWEEN low AND high.
type Between struct {
	Pos
	Not          bool
	X, Low, High Expr
}

// In is x [NOT] IN (list) or (query).
type In struct {
	Pos
	Not   bool
	X     Expr
	List  []Expr
	Query *Query
}

// Like is x [NOT] LIKE pattern [ESCAPE e].
type Like struct {
	Pos
	Not                bool
	X, Pattern, Escape Expr
}

// IsNull is x IS [NOT] NULL.
type IsNull struct {
	Pos
	Not bool
	X   Expr
}

// Exists is EXISTS (query).
type Exists struct {
	Pos
	Query *Query
}

// Subquery is a query as an expression.
type Subquery struct {
	Pos
	Query *Query
}

// AtTimeZone is x AT TIME ZONE zone; Zone is nil for AT LOCAL.
type AtTimeZone struct {
	Pos
	X, Zone Expr
}

// Outer is a column before (+), the outer join operator.
type Outer struct {
	Pos
	Of Expr
}

// Default is DEFAULT in place of a value.
type Default struct{ Pos }
