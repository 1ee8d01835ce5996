package ast

// Number is a numeric literal as written.
type Number struct {
	Pos
	Text string
}

// String is a text literal, its quotes resolved. National means N'…'.
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
// Which it is, only names can tell.
type Call struct {
	Pos
	Func     Expr // *Ref, or what an element or a returned object is taken from
	Args     []Arg
	Distinct bool
	Within   []OrderItem // WITHIN GROUP
	Keep     *Keep
	Nulls    NullTreatment
	Over     *Window
}

// NullTreatment is what an analytic function does with nulls.
type NullTreatment string

// Treatments of nulls.
const (
	IgnoreNulls  NullTreatment = "IGNORE NULLS"
	RespectNulls NullTreatment = "RESPECT NULLS"
)

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
	Frame       *Frame
}

// Frame is the windowing clause. High is nil when only one bound is written.
type Frame struct {
	Pos
	Unit      FrameUnit
	Low, High *FrameBound
}

// FrameUnit is ROWS or RANGE.
type FrameUnit string

// Units of a frame.
const (
	Rows  FrameUnit = "ROWS"
	Range FrameUnit = "RANGE"
)

// FrameBound is one end of a frame. Value is nil but for "n PRECEDING" and "n FOLLOWING".
type FrameBound struct {
	Pos
	Kind  BoundKind
	Value Expr
}

// BoundKind is the kind of a frame's end.
type BoundKind string

// Ends of a frame.
const (
	UnboundedPreceding BoundKind = "UNBOUNDED PRECEDING"
	UnboundedFollowing BoundKind = "UNBOUNDED FOLLOWING"
	CurrentRow         BoundKind = "CURRENT ROW"
	Preceding          BoundKind = "PRECEDING"
	Following          BoundKind = "FOLLOWING"
)

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

// Trim is TRIM([[side] chars FROM] x).
type Trim struct {
	Pos
	Side  TrimSide
	Chars Expr
	X     Expr
}

// TrimSide is the side that TRIM trims; none written means both.
type TrimSide string

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

// IsJSON is x IS [NOT] JSON.
type IsJSON struct {
	Pos
	Not bool
	X   Expr
}

// Quantified is x op ANY | ALL (list or query); SOME is written ANY.
type Quantified struct {
	Pos
	Op    Op
	All   bool
	X     Expr
	List  []Expr
	Query *Query
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

// ToInterval is (a - b) DAY TO SECOND.
type ToInterval struct {
	Pos
	X         Expr
	Qualifier IntervalQualifier
}

// Default is DEFAULT in place of a value.
type Default struct{ Pos }

// Inquiry is $$NAME, without the dollars.
type Inquiry struct {
	Pos
	Name string
}

// JSONFunction is JSON_VALUE, JSON_QUERY or JSON_EXISTS over a document and a path.
type JSONFunction struct {
	Pos
	Name      JSONName
	X         Expr
	Path      Expr // a *String
	Returning *DataType
	OnError   JSONHandler
	OnEmpty   JSONHandler
}

// JSONName is the name of a JSON function with syntax of its own.
type JSONName string

// JSON functions over a path.
const (
	JSONValue  JSONName = "JSON_VALUE"
	JSONQuery  JSONName = "JSON_QUERY"
	JSONExists JSONName = "JSON_EXISTS"
)

// JSONHandler is what a JSON function does when its path finds nothing good.
type JSONHandler string

// Handlers; none written means NULL (FALSE for JSON_EXISTS).
const (
	JSONNull  JSONHandler = "NULL"
	JSONError JSONHandler = "ERROR"
	JSONTrue  JSONHandler = "TRUE"
	JSONFalse JSONHandler = "FALSE"
)

// JSONObject is JSON_OBJECT(key VALUE value, … [NULL | ABSENT ON NULL] [RETURNING type]).
type JSONObject struct {
	Pos
	Members   []JSONMember
	OnNull    JSONOnNull
	Returning *DataType
}

// JSONMember is one member of JSON_OBJECT. Format means FORMAT JSON: the value is JSON already.
type JSONMember struct {
	Pos
	Key, Value Expr
	Format     bool
}

// JSONOnNull says what a constructor does with a null value.
type JSONOnNull string

// Treatments of a null value; none written means NULL ON NULL.
const (
	NullOnNull   JSONOnNull = "NULL ON NULL"
	AbsentOnNull JSONOnNull = "ABSENT ON NULL"
)

func (*Number) expr()       {}
func (*String) expr()       {}
func (*DateTime) expr()     {}
func (*Interval) expr()     {}
func (*Null) expr()         {}
func (*Bool) expr()         {}
func (*Bind) expr()         {}
func (*Star) expr()         {}
func (*Call) expr()         {}
func (*Field) expr()        {}
func (*Attribute) expr()    {}
func (*Unary) expr()        {}
func (*Binary) expr()       {}
func (*Tuple) expr()        {}
func (*Case) expr()         {}
func (*Cast) expr()         {}
func (*Extract) expr()      {}
func (*Trim) expr()         {}
func (*Between) expr()      {}
func (*In) expr()           {}
func (*Like) expr()         {}
func (*IsNull) expr()       {}
func (*IsJSON) expr()       {}
func (*Quantified) expr()   {}
func (*Exists) expr()       {}
func (*Subquery) expr()     {}
func (*AtTimeZone) expr()   {}
func (*ToInterval) expr()   {}
func (*Default) expr()      {}
func (*Inquiry) expr()      {}
func (*JSONFunction) expr() {}
func (*JSONObject) expr()   {}
