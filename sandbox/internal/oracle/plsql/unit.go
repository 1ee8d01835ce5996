package plsql

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Unit is a compiled unit: a package's specification or body, a procedure, a function, a type. It is immutable except for
// SetNatives, and the same for all sessions.
type Unit struct {
	Object      *catalog.Object // what it was compiled for; set by the caller of CompileUnit for its own use
	Owner, Name string
	Kind        ast.ObjectKind
	CurrentUser bool // AUTHID CURRENT_USER
	// Stateful reports that a package has variables or cursors, which are lost when it is compiled again.
	Stateful   bool
	Statements []Statement // including nested ones

	ownSQL  bool // it has SQL statements on objects that SYS does not own
	names   *names
	slots   int                 // in a package's activation, from the specification's first to the body's last
	exports []*routine          // what a specification declares; its body has the same in the same order
	decls   []step              // initial values
	init    func(f *frame) flow // initialization of a package's body
}

// CompileUnit compiles a package's specification or body (spec is its specification then), a procedure, function or
// collection type of a schema. If there are errors, the unit is nil. Refusals of what is not modeled are among the errors.
func CompileUnit(lib Library, owner string, n *ast.CreateUnit, spec *Unit) (*Unit, []catalog.CompileError) {
	u := &Unit{Owner: owner, Name: n.Name.Parts[len(n.Name.Parts)-1].Text, Kind: n.Kind, CurrentUser: n.CurrentUser}
	c := &compiler{lib: lib, unit: u, list: &u.Statements, fn: &function{}}
	if spec != nil {
		c.names = spec.names
		c.spec = spec
		c.fn.slots = spec.slots
		u.CurrentUser = spec.CurrentUser
	}
	u.names = c.push("")
	switch n.Kind {
	case ast.KindPackage:
		u.decls = c.declarations(n.Decls)
		u.exports = c.names.order
		for i, r := range u.exports {
			r.index, r.private = i, false
		}
	case ast.KindPackageBody:
		c.implement(spec)
		u.decls = c.declarations(n.Decls)
		u.exports = c.names.order[:len(spec.exports)]
		if n.Body != nil {
			body, handlers := c.statements(n.Body.Body), c.handlers(n.Body.Handlers)
			u.init = guarded(handlers, func(*frame) {}, func(f *frame) flow { return run(body, f) })
		}
	case ast.KindTrigger:
		c.guard(n, "", func() { c.block(n.Body, c.push("")) })
	case ast.KindProcedure, ast.KindFunction:
		d := *n.Decls[0].(*ast.Subprogram)
		d.Name.Text = u.Name
		if !c.guard(&d, "", func() { c.subprogram(&d) }) {
			c.errs = append(c.errs, catalog.CompileError{Text: "PL/SQL: Compilation unit analysis terminated", Attribute: "ERROR"})
		}
		for _, r := range c.names.order {
			r.private = false
		}
	}
	u.slots = c.fn.slots
	if len(c.errs) > 0 {
		return nil, c.errs
	}
	return u, nil
}

// Statement is a statement of a unit.
type Statement struct {
	In  string // the subprogram; "": the unit itself
	At  ast.Pos
	Ran *bool // it has been executed
	// Unsafe: a COMMIT that does not wait for its log. Endless: a query that locks, and waits for others' locks without limit.
	Unsafe, Endless bool
}

// implement declares in a body the subprograms of its specification, to be defined.
func (c *compiler) implement(spec *Unit) {
	for _, r := range spec.exports {
		n := *r
		n.unit = c.unit
		o, _ := c.names.list[r.name].(*overloads)
		if o == nil {
			o = &overloads{name: r.name}
			c.names.list[r.name] = o
		}
		o.list = append(o.list, &n)
		c.names.order = append(c.names.order, &n)
	}
}

// NeedsBody reports whether a package's specification declares subprograms that only a body, or natives, define.
func (u *Unit) NeedsBody() bool {
	return slices.ContainsFunc(u.exports, func(r *routine) bool { return r.native == nil })
}

// SetNatives gives a package's specification Go bodies, by "NAME", or "NAME#2" for the second overload in the order
// of the text. It reports subprograms without a native and natives without a subprogram. Such a package has no body.
func (u *Unit) SetNatives(natives map[string]Native) error {
	seen := map[string]int{}
	used := 0
	for _, r := range u.exports {
		seen[r.name]++
		n := natives[r.name]
		if k := seen[r.name]; k > 1 {
			n = natives[fmt.Sprintf("%s#%d", r.name, k)]
		}
		if n == nil {
			return fmt.Errorf("%s.%s has no native for overload %d", u.Name, r.name, seen[r.name])
		}
		r.native = n
		used++
	}
	if used != len(natives) {
		return fmt.Errorf("%s has %d subprograms and %d natives", u.Name, used, len(natives))
	}
	return nil
}

// Instance is the state of a package in a session.
type Instance struct {
	Spec, Body *Unit // Body is nil for natives and for packages that need none
	frame      *frame
}

// NewInstance returns an instance with nothing initialized. body is nil for packages without one.
func NewInstance(spec, body *Unit) *Instance { return &Instance{Spec: spec, Body: body} }

// Stateful reports whether there is something to lose when the package is compiled again.
func (i *Instance) Stateful() bool { return i.Spec.Stateful || i.Body != nil && i.Body.Stateful }

// Move gives the package's state to another session.
func (i *Instance) Move(h Host) {
	if i.frame != nil {
		i.frame.Host, i.frame.st = h, h.State()
	}
}

// Memory estimates the bytes of the package's variables.
func (i *Instance) Memory() int64 {
	if i.frame == nil { // it is being initialized
		return 0
	}
	return memory(i.frame.vars)
}

// memory estimates the bytes of values: a fixed size for each, and the characters of texts.
func memory(values []value.Value) (bytes int64) {
	for _, v := range values {
		bytes += 16
		switch v.Kind {
		case value.String, value.Bytes:
			bytes += v.N
		case value.Ref:
			switch x := v.Any().(type) {
			case *Record:
				bytes += memory(x.values)
			case *Collection:
				for _, it := range x.items {
					bytes += memory([]value.Value{it.key, it.v})
				}
			}
		}
	}
	return bytes
}

// Initialize computes the initial values of variables and runs the body's initialization. The caller has put the
// instance where Host.Package finds it, because that code may call the package itself; if it fails, the caller discards the instance.
func (i *Instance) Initialize(h Host) error {
	slots, last := i.Spec.slots, i.Spec
	if i.Body != nil {
		slots, last = i.Body.slots, i.Body
	}
	i.frame = newFrame(h, nil, last.Owner+"."+last.Name, slots)
	return query.Catch(func() error {
		i.frame.call(func() {
			run(i.Spec.decls, i.frame)
			if i.Body == nil {
				return
			}
			leave, err := h.Enter(i.Body)
			raise(err)
			defer leave()
			run(i.Body.decls, i.frame)
			if i.Body.init != nil {
				i.Body.init(i.frame)
			}
		})
		return nil
	})
}

// Block is a compiled anonymous block. It may run many times.
type Block struct {
	Modes      []ast.ParamMode // of its binds: assigned to, read, or both
	Statements []Statement     // including nested ones

	types      []*Type
	slots      int
	autonomous bool
	body       func(f *frame) flow
}

// CompileBlock compiles an anonymous block (a *ast.Block, perhaps *ast.Labeled) or a *ast.CallStatement. binds are its
// distinct binds with their types; values do not matter. The error is ORA-06550 with all messages, or the refusal of
// what is not modeled.
func CompileBlock(lib Library, s ast.Statement, binds []*Bind) (*Block, error) {
	b := &Block{}
	c := &compiler{lib: lib, list: &b.Statements, fn: &function{}, binds: map[string]*variable{}}
	for _, in := range binds {
		t := scalarType(plain(in.Type))
		switch {
		case in.Cursor:
			t = &Type{kind: cursorKind, name: "SYS_REFCURSOR"}
		case in.Array > 0:
			t = &Type{kind: collectionKind, elem: t, index: scalarType(datatype.Of(datatype.PLSInteger)), client: true}
		case in.Composite != nil:
			t = in.Composite
		}
		c.binds[in.Name] = &variable{name: in.Name, typ: t, slot: c.slot(), bind: &bind{}}
		b.types = append(b.types, t)
	}
	call, isCall := s.(*ast.CallStatement)
	if isCall {
		s = callBlock(call)
	}
	scope := c.push("")
	outermost, _ := s.(*ast.Block)
	if l, ok := s.(*ast.Labeled); ok {
		scope.label = l.Labels[0].Text
		outermost, _ = l.Stmt.(*ast.Block)
	}
	if outermost == nil {
		return nil, sqlerr.NotSupported("%T as a block", s)
	}
	b.body = c.block(outermost, scope)
	b.autonomous = autonomous(outermost.Decls)
	b.slots = c.fn.slots
	if err := c.failed(); err != nil {
		if isCall && len(c.errs) > 0 {
			if strings.HasPrefix(c.errs[0].Text, "PLS-00201") {
				return nil, message.ORA(6576)
			}
			return nil, wordedInSQL(&sqlerr.Error{Number: 6550, Text: c.errs[0].Text})
		}
		return nil, err
	}
	for _, in := range binds {
		switch u := c.binds[in.Name].bind; {
		case u.in && u.out:
			b.Modes = append(b.Modes, ast.ModeInOut)
		case u.out:
			b.Modes = append(b.Modes, ast.ModeOut)
		default:
			b.Modes = append(b.Modes, ast.ModeIn)
		}
	}
	return b, nil
}

// callBlock makes a block from CALL.
func callBlock(s *ast.CallStatement) *ast.Block {
	var do ast.Statement = &ast.ProcedureCall{Pos: s.Pos, Call: s.Call}
	if s.Into != nil {
		do = &ast.Assign{Pos: s.Pos, Target: s.Into, Value: s.Call}
	}
	return &ast.Block{Pos: s.Pos, Body: []ast.Statement{do}, End: s.Pos}
}

// failed combines all errors found into one.
func (c *compiler) failed() error {
	switch {
	case c.refusal != nil:
		return c.refusal
	case len(c.errs) == 0:
		return nil
	}
	lines := make([]string, len(c.errs))
	for i, e := range c.errs {
		lines[i] = fmt.Sprintf("line %d, column %d:\n%s", e.Line, e.Position, e.Text)
	}
	return plan.At(&sqlerr.Error{Number: 6550, Text: strings.Join(lines, "\nORA-06550: "), Line: c.errs[0].Line}, c.first)
}

// Run runs a block. binds are in the order and of the types that it was compiled with; OUT values are stored in them,
// which stay unchanged if it fails. A bind's Mode that does not match the block's is ORA-06536 or 06537. The error has the frames of ORA-06512; see [ErrorText].
func (b *Block) Run(h Host, binds []*Bind) error {
	f := newFrame(h, nil, "", b.slots)
	for i, in := range binds {
		f.vars[i] = in.Value
		if in.Array > 0 {
			f.vars[i] = b.types[i].initial(h)
			list, _ := in.Value.Any().([]value.Value)
			for at, v := range list {
				f.vars[i].Any().(*Collection).Put(int64(at+1), v)
			}
		}
		switch {
		case in.Mode == ast.ModeIn && b.Modes[i] != ast.ModeIn:
			return message.ORA(6536)
		case in.Mode == ast.ModeOut && b.Modes[i] == ast.ModeIn:
			return message.ORA(6537)
		}
	}
	return query.Catch(func() error {
		f.call(func() { f.isolated(b.autonomous, func() { b.body(f) }) })
		for i, out := range binds {
			if b.Modes[i] != ast.ModeIn {
				escape(f.vars[i])
				out.Value = f.vars[i]
				if out.Array > 0 {
					out.Value = f.vars[i].Any().(*Collection).list(out.Array)
				}
			}
		}
		return nil
	})
}

// list returns the elements of a client's array, which has room for a number of them.
func (c *Collection) list(room int) value.Value {
	var list []value.Value
	for _, it := range c.items {
		at := it.key.Int64()
		if at < 1 || at > int64(room) {
			raise(message.ORA(6513))
		}
		list = append(append(list, make([]value.Value, at-1-int64(len(list)))...), it.v) // NULL for missing elements
	}
	return value.NewRef(list)
}

// asError returns any error as a *sqlerr.Error.
func asError(err error) *sqlerr.Error {
	var e *sqlerr.Error
	if errors.As(err, &e) {
		return e
	}
	return &sqlerr.Error{Number: 600, Text: err.Error(), Cause: err}
}
