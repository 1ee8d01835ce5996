package ast

// Block is BEGIN … END with its declarations; at the top of a text it is an anonymous block.
type Block struct {
	Pos
	Decls    []Decl
	Body     []Statement
	Handlers []Handler
	End      Pos // position of END, where a function that ends without RETURN fails
}

// Handler is WHEN a OR b THEN …; without names, it is OTHERS.
type Handler struct {
	Pos
	Exceptions []*Ref
	Body       []Statement
}

// Decl is a declaration.
type Decl interface{ Node }

// Variable declares a variable or constant.
type Variable struct {
	Pos
	Name     Name
	Constant bool
	Type     *DataType
	NotNull  bool
	Default  Expr
}

// Exception declares an exception.
type Exception struct {
	Pos
	Name Name
}

// Pragma is a pragma, with its arguments.
type Pragma struct {
	Pos
	Kind PragmaKind
	Args []Expr
}

// PragmaKind is the name of a pragma.
type PragmaKind string

// Pragmas.
const (
	AutonomousTransaction PragmaKind = "AUTONOMOUS_TRANSACTION"
	ExceptionInit         PragmaKind = "EXCEPTION_INIT"
)

// RecordType is TYPE t IS RECORD (…).
type RecordType struct {
	Pos
	Name   Name
	Fields []Variable
}

// CollectionType is TYPE t IS TABLE OF.
type CollectionType struct {
	Pos
	Name    Name
	Element *DataType
	IndexBy *DataType // an associative array
}

// RefCursorType is TYPE t IS REF CURSOR [RETURN type].
type RefCursorType struct {
	Pos
	Name   Name
	Return *DataType
}

// Cursor declares an explicit cursor.
type Cursor struct {
	Pos
	Name   Name
	Params []Param
	Query  *Query
}

// Subprogram is a procedure or function; Body is nil where it is only declared.
type Subprogram struct {
	Pos
	Name   Name
	Params []Param
	Return *DataType // nil in a procedure
	Body   *Block
}

// Param is a formal parameter.
type Param struct {
	Pos
	Name    Name
	Mode    ParamMode
	NoCopy  bool
	Type    *DataType
	Default Expr
}

// ParamMode is the mode of a parameter or bind argument.
type ParamMode string

// Modes of parameters.
const (
	ModeIn    ParamMode = "IN"
	ModeOut   ParamMode = "OUT"
	ModeInOut ParamMode = "IN OUT"
)

// Labeled is a statement with labels before it.
type Labeled struct {
	Pos
	Labels []Name
	Stmt   Statement
}

// Assign is target := value.
type Assign struct {
	Pos
	Target, Value Expr
}

// ProcedureCall is a call as a statement: a *Ref or a *Call.
type ProcedureCall struct {
	Pos
	Call Expr
}

// If is IF … ELSIF … ELSE.
type If struct {
	Pos
	Branches []Branch
	Else     []Statement
}

// Branch is a condition, or a value of a CASE statement, with its statements.
type Branch struct {
	Pos
	Cond Expr
	Body []Statement
}

// CaseStatement is CASE … END CASE. Without ELSE it raises CASE_NOT_FOUND.
type CaseStatement struct {
	Pos
	Operand  Expr
	Branches []Branch
	HasElse  bool
	Else     []Statement
}

// Loop is LOOP … END LOOP; with While a WHILE loop.
type Loop struct {
	Pos
	While Expr
	Body  []Statement
}

// ForRange is FOR i IN [REVERSE] low .. high LOOP.
type ForRange struct {
	Pos
	Var       Name
	Reverse   bool
	Low, High Expr
	Body      []Statement
}

// ForCursor is FOR r IN cursor or (query) LOOP.
type ForCursor struct {
	Pos
	Var    Name
	Cursor Expr // *Ref or *Call
	Query  *Query
	Body   []Statement
}

// Forall is FORALL; Stmt is an INSERT, UPDATE, DELETE or EXECUTE IMMEDIATE.
type Forall struct {
	Pos
	Var            Name
	Low, High      Expr
	SaveExceptions bool
	Stmt           Statement
}

// Exit is EXIT or CONTINUE [label] [WHEN condition].
type Exit struct {
	Pos
	Continue bool
	Label    *Name
	When     Expr
}

// NullStatement is NULL.
type NullStatement struct{ Pos }

// Return is RETURN [value].
type Return struct {
	Pos
	Value Expr
}

// Raise is RAISE [exception].
type Raise struct {
	Pos
	Exception *Ref
}

// ExecuteImmediate is EXECUTE IMMEDIATE.
type ExecuteImmediate struct {
	Pos
	SQL       Expr
	Into      *Into
	Using     []UsingArg
	Returning *Into
}

// UsingArg is an argument of USING.
type UsingArg struct {
	Pos
	Mode  ParamMode
	Value Expr
}

// Open is OPEN cursor(args), OPEN cursor FOR query, or OPEN cursor FOR text USING …
type Open struct {
	Pos
	Cursor  Expr // *Ref, *Bind, *Field or *Call (with Args, or an element of a collection)
	Query   *Query
	Dynamic Expr
	Using   []UsingArg
}

// FetchCursor is FETCH cursor [BULK COLLECT] INTO … [LIMIT n].
type FetchCursor struct {
	Pos
	Cursor Expr
	Into   *Into
	Limit  Expr
}

// Close is CLOSE cursor.
type Close struct {
	Pos
	Cursor Expr
}
