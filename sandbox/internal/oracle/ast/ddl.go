package ast

// CreateTable is CREATE [GLOBAL TEMPORARY] TABLE.
type CreateTable struct {
	Pos
	Temporary   bool
	OnCommit    OnCommit
	Name        *Ref
	Columns     []ColumnDef
	Constraints []Constraint
	Options     []Option
}

// OnCommit is what a commit does with the rows of a temporary table; if omitted, it deletes them.
type OnCommit string

// What a commit does with rows.
const (
	DeleteRows   OnCommit = "DELETE ROWS"
	PreserveRows OnCommit = "PRESERVE ROWS"
)

// Option is a physical or other option of an object: words with or without a value.
type Option struct {
	Pos
	Name  OptionName
	Value string // as written, "" if none
}

// OptionName is the words of an option with one space between them, upper case.
type OptionName string

// ColumnDef is a column's definition; in ALTER TABLE … MODIFY, Type is nil when not written.
type ColumnDef struct {
	Pos
	Name          Name
	Type          *DataType
	Default       Expr
	DefaultOnNull bool
	Identity      *Identity
	Virtual       Expr
	Text          string // the default's or virtual column's expression as written
	Constraints   []Constraint
}

// Identity is GENERATED … AS IDENTITY.
type Identity struct {
	Pos
	Kind    IdentityKind
	Options []SequenceOption
}

// IdentityKind says who may supply the value.
type IdentityKind string

// Kinds of identity columns.
const (
	GeneratedAlways          IdentityKind = "ALWAYS"
	GeneratedByDefault       IdentityKind = "BY DEFAULT"
	GeneratedByDefaultOnNull IdentityKind = "BY DEFAULT ON NULL"
)

// SequenceOption is START WITH n, INCREMENT BY n, CACHE n, NOCACHE, CYCLE …
type SequenceOption struct {
	Pos
	Name  SequenceWords
	Value Expr // nil if none
}

// SequenceWords is the words of a sequence's option with one space between them.
type SequenceWords string

// Constraint is a constraint; Columns is empty inside a column's definition.
type Constraint struct {
	Pos
	Name       *Name
	Kind       ConstraintKind
	Columns    []Name
	Check      Expr
	Text       string // the check's condition as written
	Deferred   bool   // INITIALLY DEFERRED
	Disabled   bool
	NoValidate bool
	UsingIndex *UsingIndex
}

// ConstraintKind is the kind of a constraint.
type ConstraintKind string

// Kinds of constraints.
const (
	NotNull    ConstraintKind = "NOT NULL"
	Nullable   ConstraintKind = "NULL"
	PrimaryKey ConstraintKind = "PRIMARY KEY"
	Unique     ConstraintKind = "UNIQUE"
	Check      ConstraintKind = "CHECK"
)

// UsingIndex is USING INDEX (CREATE INDEX …).
type UsingIndex struct {
	Pos
	Create *CreateIndex
}

// AlterTable is ALTER TABLE with its actions.
type AlterTable struct {
	Pos
	Name    *Ref
	Actions []TableAction
}

// TableAction is one change of a table; fields that its kind does not need are empty.
type TableAction struct {
	Pos
	Kind        ActionKind
	Columns     []ColumnDef  // ADD, MODIFY; names of DROP
	Constraints []Constraint // ADD; DROP by name, or by kind and columns
	Cascade     bool         // DROP … CASCADE
	KeepIndex   bool
}

// ActionKind is what a TableAction does.
type ActionKind string

// Changes of a table.
const (
	ActionAdd            ActionKind = "ADD"
	ActionModify         ActionKind = "MODIFY"
	ActionDropColumn     ActionKind = "DROP COLUMN"
	ActionDropConstraint ActionKind = "DROP CONSTRAINT"
)

// CreateIndex is CREATE [UNIQUE] INDEX.
type CreateIndex struct {
	Pos
	Unique  bool
	Name    *Ref
	Table   *Ref
	Columns []Name
	Options []Option
}

// AlterIndex is ALTER INDEX … REBUILD | VISIBLE | INVISIBLE.
type AlterIndex struct {
	Pos
	Name   *Ref
	Action string
}

// CreateSequence is CREATE SEQUENCE.
type CreateSequence struct {
	Pos
	Name    *Ref
	Options []SequenceOption
}

// CreateView is CREATE VIEW. Text is the query as written, as USER_VIEWS shows it.
type CreateView struct {
	Pos
	OrReplace bool
	Force     bool
	Name      *Ref
	Columns   []Name
	Query     *Query
	Text      string
	ReadOnly  bool
}

// ObjectKind is a kind of schema object.
type ObjectKind string

// Kinds of objects.
const (
	KindTable       ObjectKind = "TABLE"
	KindIndex       ObjectKind = "INDEX"
	KindSequence    ObjectKind = "SEQUENCE"
	KindView        ObjectKind = "VIEW"
	KindSynonym     ObjectKind = "SYNONYM"
	KindPackage     ObjectKind = "PACKAGE"
	KindPackageBody ObjectKind = "PACKAGE BODY"
	KindProcedure   ObjectKind = "PROCEDURE"
	KindFunction    ObjectKind = "FUNCTION"
	KindType        ObjectKind = "TYPE"
	KindTrigger     ObjectKind = "TRIGGER"
	KindUser        ObjectKind = "USER"
	KindRole        ObjectKind = "ROLE"
)

// CreateUnit is CREATE [OR REPLACE] of a stored unit: package, body, procedure, function, type or trigger.
// If its text has errors, only Pos to Source are set.
type CreateUnit struct {
	Pos
	OrReplace   bool
	Kind        ObjectKind
	Name        *Ref
	Source      string // from the unit's first word on, as USER_SOURCE has it
	CurrentUser bool   // AUTHID CURRENT_USER
	Decls       []Decl // of a package or body; the subprogram of a procedure or function
	Body        *Block // a package body's initialization; what a trigger does
	Trigger     *Trigger
}

// Trigger says when a trigger fires.
type Trigger struct {
	Pos
	After    bool
	Events   []TriggerEvent
	Of       []Name // UPDATE OF
	Table    *Ref
	Row      bool
	Disabled bool
}

// TriggerEvent is a statement that fires a trigger.
type TriggerEvent string

// Events of triggers.
const (
	Inserting TriggerEvent = "INSERT"
	Updating  TriggerEvent = "UPDATE"
	Deleting  TriggerEvent = "DELETE"
)

// AlterCompile is ALTER PACKAGE | PROCEDURE | FUNCTION | TYPE | TRIGGER … COMPILE, and of a trigger ENABLE or DISABLE.
type AlterCompile struct {
	Pos
	Kind  ObjectKind
	Name  *Ref
	Body  bool       // of a package, not the whole of it
	State OptionName // ENABLE or DISABLE
}

// Drop is DROP of any object.
type Drop struct {
	Pos
	Kind    ObjectKind
	Name    *Ref
	Public  bool // DROP PUBLIC SYNONYM
	Cascade bool // CASCADE CONSTRAINTS; DROP USER … CASCADE
}

// CreateSynonym is CREATE SYNONYM.
type CreateSynonym struct {
	Pos
	OrReplace bool
	Public    bool
	Name      *Ref
	For       *Ref
}

// Grant is GRANT or REVOKE: of system privileges and roles, or of privileges on an object.
type Grant struct {
	Pos
	Revoke     bool
	Privileges []Privilege
	On         *Ref
	User       *Name // ON USER
	To         []Name
	WithGrant  bool
}

// Privilege is a privilege or a role: words with one space between them.
type Privilege struct {
	Pos
	Name string
}

// CreateUser is CREATE USER, or ALTER USER if Alter is set. Password keeps its case.
type CreateUser struct {
	Pos
	Alter    bool
	Name     Name
	Password *Name
	Options  []Option
}

// CreateRole is CREATE ROLE.
type CreateRole struct {
	Pos
	Name Name
}

// Comment is COMMENT ON TABLE or COLUMN.
type Comment struct {
	Pos
	Column bool
	Name   *Ref
	Text   string
}

// Truncate is TRUNCATE TABLE.
type Truncate struct {
	Pos
	Name *Ref
}

// AlterSession is ALTER SESSION or ALTER SYSTEM SET name = value ….
type AlterSession struct {
	Pos
	System   bool
	Settings []Setting // for ALTER SYSTEM, including SCOPE, SID and COMMENT
}

// Setting is name = value: a literal or words.
type Setting struct {
	Pos
	Name  string
	Value Expr
}

// KillSession is ALTER SYSTEM KILL SESSION 'sid,serial#' [IMMEDIATE].
type KillSession struct {
	Pos
	Session string
}

// Commit is COMMIT with its WRITE clause.
type Commit struct {
	Pos
	Immediate, Wait bool
}

// Rollback is ROLLBACK [TO savepoint].
type Rollback struct {
	Pos
	To *Name
}

// Savepoint is SAVEPOINT name.
type Savepoint struct {
	Pos
	Name Name
}

// SetConstraints is SET CONSTRAINTS ALL IMMEDIATE.
type SetConstraints struct{ Pos }

// SetTransaction is SET TRANSACTION: an access mode or an isolation level.
type SetTransaction struct {
	Pos
	Mode TransactionMode
}

// TransactionMode is the access mode or isolation level of a transaction.
type TransactionMode string

// Modes of a transaction.
const (
	ReadOnly      TransactionMode = "READ ONLY"
	ReadWrite     TransactionMode = "READ WRITE"
	Serializable  TransactionMode = "SERIALIZABLE"
	ReadCommitted TransactionMode = "READ COMMITTED"
)

// LockTable is LOCK TABLE.
type LockTable struct {
	Pos
	Tables []*Ref
	Mode   TableLock
	Wait   LockWait
	Time   Expr
}

// TableLock is the mode of LOCK TABLE.
type TableLock string

// Modes of LOCK TABLE.
const (
	RowShare     TableLock = "ROW SHARE"
	RowExclusive TableLock = "ROW EXCLUSIVE"
	Share        TableLock = "SHARE"
	Exclusive    TableLock = "EXCLUSIVE"
)

// CallStatement is CALL routine(args) [INTO :bind].
type CallStatement struct {
	Pos
	Call Expr
	Into *Bind
}
