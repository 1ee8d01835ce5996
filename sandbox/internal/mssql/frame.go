package mssql

import (
	"cmp"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/ddl"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// unit is a text in the plan cache: a batch, a module or dynamic SQL. It is shared by all sessions.
type unit struct {
	kind     string // Adhoc, Prepared or Proc, as sys.dm_exec_cached_plans.objtype says
	text     string
	declared string // the parameter declarations of a prepared text
	uses     int64
	*Code
}

// Code is a compiled text. It holds no state of an execution; plans of statements are added as they are first run. An image that starts
// again keeps what is compiled: see Server.Resume.
type Code struct {
	statements []ast.Statement
	params     []catalog.Param
	variables  []variable
	slots      map[string]int // by folded name
	plans      map[any]*cachedPlan
	db         *catalog.Database
	version    int64 // of db
	idle       int   // runs of the image since it was used
}

func newCode(statements []ast.Statement) *Code {
	return &Code{statements: statements, slots: map[string]int{}, plans: map[any]*cachedPlan{}}
}

// variable is a declared variable or parameter.
type variable struct {
	name  string
	t     datatype.Type
	table *catalog.Table  // definition of a table variable or table-valued parameter
	kind  *catalog.Object // its table type, if any
}

// cachedPlan is a plan and what it was compiled against.
type cachedPlan struct {
	db       *catalog.Database
	version  int64
	foreign  bool // it names another database
	settings plan.Settings
	compiled any
}

// frame is one execution of a unit.
type frame struct {
	unit    string // procedure name for error messages; empty in a batch
	object  *catalog.Object
	line    int // of the statement in the unit's text
	code    *unit
	db      *catalog.Database
	schema  string // where unqualified names are looked up first
	owner   int32  // principal that owns the module: permissions on its other objects are not checked; 0: no chain
	vars    []value.Value
	tables  []*catalog.Table
	cursors map[string]*cursor // local cursors
	level   int                // @@NESTLEVEL
	status  int64              // RETURN value
	scopeID value.Value        // SCOPE_IDENTITY()
	// signatures are those of the module, or of the one that runs this dynamic SQL; modules that it calls do not have them.
	signatures []string
	dynamic    bool   // dynamic SQL: the ownership chain is broken
	outer      *frame // the frame that runs this dynamic SQL; nil in a batch
	depth      int    // number of security contexts when it began
	xactAbort  bool   // the SET XACT_ABORT setting that it left

	quotedIdentifier, ansiNulls bool
	usesTemp                    bool // the statement being compiled refers to a #table
}

func foldName(name string) string { return strings.ToLower(name) }

// newFrame creates the frame of a unit, with NULL in every variable; table variables are created when first used.
func (s *Session) newFrame(code *unit) *frame {
	f := &frame{
		code: code, db: s.db, schema: s.defaultSchema(),
		vars: make([]value.Value, len(code.variables)), tables: make([]*catalog.Table, len(code.variables)),
		quotedIdentifier: s.set.QuotedIdentifier, ansiNulls: s.set.ANSINulls,
	}
	if top := s.top(); top != nil {
		f.level = top.level
	}
	return f
}

// declare adds a variable to a unit; error 134 when the name is taken.
func (u *unit) declare(v variable) error {
	key := foldName(v.name)
	if _, taken := u.slots[key]; taken {
		return message.MS(134, v.name).At(15, 2).Ending(sqlerr.Batch)
	}
	u.slots[key] = len(u.variables)
	u.variables = append(u.variables, v)
	return nil
}

// scope is what package plan sees of a session while it compiles a statement of a frame.
type scope struct {
	*Session
	f *frame
}

var _ plan.Scope = scope{}

// Database implements plan.Scope.
func (c scope) Database() *catalog.Database { return c.f.db }

// Variable implements plan.Scope.
func (c scope) Variable(name string) (int, datatype.Type, bool) {
	slot, ok := c.f.code.slots[foldName(name)]
	if !ok || c.f.code.variables[slot].table != nil {
		return 0, datatype.Type{}, false
	}
	return slot, c.f.code.variables[slot].t, true
}

// TableVariable implements plan.Scope.
func (c scope) TableVariable(name string) (int, *catalog.Table, bool) {
	slot, ok := c.f.code.slots[foldName(name)]
	if !ok || c.f.code.variables[slot].table == nil {
		return 0, nil, false
	}
	return slot, c.f.code.variables[slot].table, true
}

// Within implements plan.Scope. The expressions of a table (defaults, checks) were created with ANSI options ON.
func (c scope) Within(o *catalog.Object) plan.Scope {
	f := &frame{
		code: &unit{Code: newCode(nil)}, object: o, db: o.DB, schema: o.Schema, owner: o.Owner,
		quotedIdentifier: true, ansiNulls: true,
	}
	f.db = cmp.Or(f.db, o.Home, c.f.db) // Home for a system view, c.f.db for a #table
	if m := o.Module(); m != nil {
		f.quotedIdentifier, f.ansiNulls = m.QuotedIdentifier, m.AnsiNulls
	}
	return scope{c.Session, f}
}

// Collation implements plan.Scope.
func (c scope) Collation() datatype.Collation { return c.f.db.Collation }

// Settings implements plan.Scope.
func (c scope) Settings() plan.Settings {
	return plan.Settings{
		AnsiNulls: c.f.ansiNulls, QuotedIdentifier: c.f.quotedIdentifier,
		AnsiWarnings: c.set.ANSIWarnings, AnsiPadding: c.set.ANSIPadding, ArithAbort: c.set.ArithAbort,
		ConcatNull: c.set.ConcatNullYieldsNull, NumericRoundOff: c.set.NumericRoundAbort,
	}
}

// SessionFunction implements plan.Scope.
func (c scope) SessionFunction(name string) (*plan.SessionFunc, bool) {
	fn, ok := c.srv.functions[name]
	return fn, ok
}

// DataType implements plan.Scope.
func (c scope) DataType(ref ast.DataTypeReference) (datatype.Type, error) {
	v, err := c.typeOf(c.f.db, ref)
	return v.t, err
}

// Resolve implements plan.Scope.
func (c scope) Resolve(name *ast.SchemaObjectName) (*catalog.Object, error) {
	base := name.BaseIdentifier.Value
	if strings.HasPrefix(base, "#") {
		c.f.usesTemp = true
		if o := c.tmp.Find(base); o != nil {
			return o, nil
		}
		return nil, invalidObject(name)
	}
	if id := name.DatabaseIdentifier; id != nil && id.Value != "" && c.srv.catalog.DatabaseByName(id.Value) == nil {
		return nil, message.MS(208, ddl.Written(name))
	}
	db := c.databaseOf(c.f.db, name.DatabaseIdentifier)
	c.foreign = c.foreign || db != c.f.db
	if name.SchemaIdentifier != nil && name.SchemaIdentifier.Value != "" {
		if o := db.Object(name.SchemaIdentifier.Value, base); o != nil {
			return o, nil
		}
		return nil, invalidObject(name)
	}
	for _, schema := range []string{c.f.schema, "dbo"} {
		if o := db.Object(schema, base); o != nil {
			return o, nil
		}
	}
	return nil, invalidObject(name)
}

// databaseOf finds the database of a three-part name and checks that the current user has access to it.
func (s *Session) databaseOf(current *catalog.Database, id *ast.Identifier) *catalog.Database {
	if id == nil || id.Value == "" || catalog.SameName(s.srv.catalog.Collation, id.Value, current.Name) {
		return current
	}
	db := s.srv.catalog.DatabaseByName(id.Value)
	if db == nil {
		panic(message.MS(911, id.Value))
	}
	query.Must(s.who.TokenIn(db))
	return db
}

func invalidObject(name *ast.SchemaObjectName) error {
	schema := ""
	if name.SchemaIdentifier != nil {
		schema = name.SchemaIdentifier.Value
	}
	if catalog.Elsewhere(schema, name.BaseIdentifier.Value) {
		return sqlerr.NotSupported("the system view or function %s", ddl.Written(name))
	}
	return message.MS(208, ddl.Written(name))
}
