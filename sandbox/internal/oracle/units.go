package oracle

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ddl"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/parser"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/supplied"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// loadPackages compiles the supplied packages into SYS.
func (srv *Server) loadPackages() error {
	for _, p := range supplied.Packages() {
		text := "create or replace " + p.Spec
		st := srv.opts.Texts.Of(text, func() Parsed { return parsed(text) })
		if err := errors.Join(st.err, st.syntax); err != nil {
			return fmt.Errorf("oracle: package %s: %w", p.Name, err)
		}
		n := st.node.(*ast.CreateUnit)
		lib := &library{srv: srv, rights: catalog.Rights{User: catalog.Sys}, schema: catalog.Sys}
		u, errs := plsql.CompileUnit(lib, catalog.Sys, n, nil)
		if len(errs) > 0 {
			return fmt.Errorf("oracle: package %s: line %d: %s", p.Name, errs[0].Line, errs[0].Text)
		}
		if err := u.SetNatives(p.Natives); err != nil {
			return fmt.Errorf("oracle: package %s: %w", p.Name, err)
		}
		o := &catalog.Object{
			Owner: catalog.Sys, Name: p.Name, Kind: ast.KindPackage, Uses: lib.uses,
			Def: &catalog.Unit{Kind: ast.KindPackage, Source: n.Source, Node: n, CurrentUser: n.CurrentUser, Compiled: u},
		}
		if err := srv.catalog.Add(o); err != nil {
			return err
		}
		u.Object = o
		synonym := &catalog.Object{Owner: catalog.Public, Name: p.Name, Kind: ast.KindSynonym, Def: &catalog.Synonym{Owner: catalog.Sys, Name: p.Name}}
		if err := srv.catalog.Add(synonym); err != nil {
			return err
		}
		if p.Public {
			srv.catalog.GrantObject(o, catalog.ObjectGrant{Grantee: catalog.Public, Privilege: "EXECUTE", Grantor: catalog.Sys})
		}
	}
	return nil
}

// createUnit is CREATE [OR REPLACE] of a package, body, procedure or function. A unit with errors is created
// anyway: then errs is not empty.
func (s *Session) createUnit(n *ast.CreateUnit, syntax error) (errs []catalog.CompileError, err error) {
	cat, f := s.srv.catalog, s.here()
	owner := s.currentSchema()
	name := n.Name.Parts[len(n.Name.Parts)-1].Text
	if len(n.Name.Parts) > 1 {
		owner = n.Name.Parts[0].Text
	}
	needed := "CREATE PROCEDURE"
	if n.Kind == ast.KindTrigger {
		needed = "CREATE TRIGGER"
	}
	if owner != f.rights.User {
		needed = "CREATE ANY " + needed[len("CREATE "):]
	}
	if !cat.Has(f.rights, needed) {
		return nil, catalog.ErrPrivileges()
	}
	old := cat.Find(owner, name, n.Kind)
	table, err := s.triggered(n, owner, old)
	switch {
	case err != nil:
		return nil, err
	case old != nil && n.Kind == ast.KindTrigger && !n.OrReplace:
		return nil, message.ORA(4081, name)
	case old != nil && (old.Kind != n.Kind || !n.OrReplace):
		return nil, catalog.ErrNameUsed()
	}
	if old != nil {
		if err := s.waitPins(old); err != nil {
			return nil, err
		}
	}
	def := &catalog.Unit{Kind: n.Kind, Source: n.Source, Node: n, CurrentUser: n.CurrentUser, Table: table}
	if table != nil {
		def.Disabled = n.Trigger.Disabled
	}
	o := old
	if o == nil {
		o = &catalog.Object{Owner: owner, Name: name, Kind: n.Kind, Def: def}
		if err := cat.Add(o); err != nil {
			return nil, err
		}
		if table != nil {
			table.Triggers = append(slices.Clip(table.Triggers), o)
		}
	} else if err := cat.Replace(o, def); err != nil {
		return nil, err
	}
	if syntax != nil {
		def.Errors = syntaxErrors(syntax)
		cat.Validate(o, true, nil)
		return def.Errors, nil
	}
	s.srv.compile(o)
	return def.Errors, nil
}

// triggered finds the table of a trigger; nil: it is another unit.
func (s *Session) triggered(n *ast.CreateUnit, owner string, old *catalog.Object) (*catalog.Object, error) {
	if n.Kind != ast.KindTrigger {
		return nil, nil
	}
	o, _, err := s.srv.catalog.Resolve(s.here().rights, s.currentSchema(), n.Trigger.Table)
	if err != nil || o == nil {
		return nil, cmp.Or(err, error(catalog.ErrNoTable()))
	}
	t, ok := o.Def.(*catalog.Table)
	if !ok || o.Owner != owner {
		return nil, sqlerr.NotSupported("triggers on views, or on tables of another schema")
	}
	for _, c := range n.Trigger.Of {
		if t.Column(c.Text) < 0 {
			return nil, message.ORA(904, fmt.Sprintf("%q", c.Text))
		}
	}
	if old != nil && old.Def.(*catalog.Unit).Table != o {
		return nil, message.ORA(4095, old.Name)
	}
	return o, nil
}

// syntaxErrors are the rows of USER_ERRORS for a text that does not parse.
func syntaxErrors(err error) []catalog.CompileError {
	e, ok := err.(*parser.Error) //nolint:errorlint // the parser returns it bare
	if !ok {
		return []catalog.CompileError{{Line: 1, Position: 1, Text: err.Error(), Attribute: "ERROR"}}
	}
	return []catalog.CompileError{{Line: e.Line, Position: e.Column, Text: e.Message(), Attribute: "ERROR", Number: int(e.Number)}}
}

// compiled returns an object's unit, compiling it if what it depends on has changed; nil: it has errors.
func (srv *Server) compiled(o *catalog.Object) (*plsql.Unit, error) {
	def := o.Def.(*catalog.Unit)
	if slices.Contains(srv.compiling, o) { // two specifications that need each other
		return nil, nil
	}
	if o.Invalid || def.Compiled == nil { // what was missing may exist now
		srv.compile(o)
	}
	u, _ := def.Compiled.(*plsql.Unit)
	return u, nil
}

// compileView compiles an invalid view, which is about to be used: ORA-04063 if it has errors.
func (srv *Server) compileView(l *library, o *catalog.Object) error {
	if slices.Contains(srv.compiling, o) { // views made with FORCE that need each other
		return message.ORA(4063, "view", o.Owner, o.Name)
	}
	srv.compiling = append(srv.compiling, o)
	defer func() { srv.compiling = srv.compiling[:len(srv.compiling)-1] }()
	return ddl.CompileView(srv.catalog, l.Within(o.Owner), o)
}

// compile compiles a stored unit with its owner's rights and names, and records its errors.
func (srv *Server) compile(o *catalog.Object) {
	def := o.Def.(*catalog.Unit)
	if def.Node.Source == "" || def.Node.Decls == nil && def.Node.Body == nil && len(def.Errors) > 0 { // it did not even parse
		return
	}
	srv.compiling = append(srv.compiling, o)
	defer func() { srv.compiling = srv.compiling[:len(srv.compiling)-1] }()
	lib := &library{srv: srv, rights: catalog.Rights{User: o.Owner}, schema: o.Owner}
	var spec *plsql.Unit
	def.Compiled, def.Errors = nil, nil
	if o.Kind == ast.KindPackageBody {
		head := srv.catalog.Object(o.Owner, o.Name)
		if head != nil && head.Kind == ast.KindPackage {
			lib.Uses(head)
			spec, _ = srv.compiled(head)
		}
		if spec == nil {
			def.Errors = []catalog.CompileError{{
				Line: 1, Position: 14, Text: fmt.Sprintf("PLS-00201: identifier '%s' must be declared", o.Name), Attribute: "ERROR", Number: 201,
			}}
			if head != nil {
				def.Errors = []catalog.CompileError{{
					Line: 1, Position: 14, Text: fmt.Sprintf("PLS-00905: object %s.%s is invalid", o.Owner, o.Name), Attribute: "ERROR", Number: 905,
				}}
			}
			srv.catalog.Validate(o, true, lib.uses)
			return
		}
	}
	u, errs := plsql.CompileUnit(lib, o.Owner, def.Node, spec)
	def.Errors = errs
	if len(errs) == 0 && u != nil {
		u.Object = o
		def.Compiled = u
		srv.covers(o.Name, def.Source, u.Statements)
	}
	srv.catalog.Validate(o, len(errs) > 0, slices.DeleteFunc(lib.uses, func(x *catalog.Object) bool { return x == o }))
}

// alterCompile implements ALTER … COMPILE.
func (s *Session) alterCompile(n *ast.AlterCompile) (failed bool, err error) {
	cat := s.srv.catalog
	o := cat.ResolveIn(s.here().rights, s.currentSchema(), n.Name, n.Kind)
	if o == nil && n.Kind == ast.KindTrigger {
		return false, message.ORA(4080, n.Name)
	}
	if o == nil {
		return false, message.ORA(4043, n.Name)
	}
	if n.State != "" {
		o.Def.(*catalog.Unit).Disabled = n.State == "DISABLE"
		cat.Touch(o)
		return false, nil
	}
	targets := []*catalog.Object{o}
	if n.Kind == ast.KindPackage {
		body := cat.Body(o.Owner, o.Name)
		switch {
		case n.Body:
			targets = []*catalog.Object{body}
		case body != nil:
			targets = append(targets, body)
		}
	}
	for _, t := range targets {
		if t == nil {
			return false, message.ORA(4043, n.Name)
		}
		def, ok := t.Def.(*catalog.Unit)
		if !ok {
			return false, sqlerr.NotSupported("ALTER %s COMPILE", n.Kind)
		}
		if err := s.waitPins(t); err != nil {
			return false, err
		}
		s.srv.compile(t)
		failed = failed || len(def.Errors) > 0
	}
	return failed, nil
}

// pin counts the calls that run in a unit: while there are any, it cannot be replaced. Whoever waits to replace it blocks
// later calls, so that one long call and one waiter stop everybody (Oracle Support documents this for the
// library cache's locks and pins, note 444560.1).
type pin struct {
	object  *catalog.Object
	holders map[*Session]int
	wanted  int // sessions that wait to replace it
	waiters []*kernel.Task
}

// pinWait is how long DDL waits for a running unit before ORA-04021. The number is the server's default for
// _kgl_time_to_wait_for_locks, five minutes for a library cache pin in what Oracle Support publishes.
const pinWait = 5 * time.Minute

func (s *Session) pinOf(o *catalog.Object) *pin {
	p := s.srv.pins[o.ID]
	if p == nil {
		p = &pin{object: o, holders: map[*Session]int{}}
		s.srv.pins[o.ID] = p
	}
	return p
}

// pinFreed wakes the waiters, and removes a pin that nobody holds or wants.
func (s *Session) pinFreed(p *pin) {
	if len(p.holders) == 0 && p.wanted == 0 {
		delete(s.srv.pins, p.object.ID)
	}
	waiters := p.waiters
	p.waiters = nil
	for _, t := range waiters {
		t.Wake(nil)
	}
}

// hold pins a unit for a call, after those who wait to replace it. Errors: ORA-01013.
func (s *Session) hold(o *catalog.Object) (release func(), err error) {
	p := s.pinOf(o)
	for ; p.holders[s] == 0 && p.wanted > 0 && !s.srv.k.Differs(differ.CallsPassDDL); p = s.pinOf(o) {
		p.waiters = append(p.waiters, s.task)
		if reason, _ := s.task.Block(kernel.Wait{For: -1, Kind: kernel.Demand}); reason == kernel.Interrupted {
			return nil, errCancelled()
		}
	}
	p.holders[s]++
	return func() {
		if p.holders[s]--; p.holders[s] == 0 {
			delete(p.holders, s)
			s.pinFreed(p)
		}
	}, nil
}

// waitPins waits until no call runs in a unit. Errors: ORA-04020 for a unit that would replace itself, ORA-04021.
func (s *Session) waitPins(o *catalog.Object) error {
	p, until := s.pinOf(o), s.srv.k.Now().Add(pinWait)
	p.wanted++
	defer func() {
		p.wanted--
		s.pinFreed(p)
	}()
	for len(p.holders) > 0 && !s.srv.k.Differs(differ.DDLReplacesInUse) {
		if p.holders[s] > 0 {
			return message.ORA(4020, o.Owner, o.Name)
		}
		left := until.Sub(s.srv.k.Now())
		if left <= 0 {
			return message.ORA(4021, o.Owner, o.Name)
		}
		p.waiters = append(p.waiters, s.task)
		if reason, _ := s.task.Block(kernel.Wait{For: left, Kind: kernel.Demand}); reason == kernel.Interrupted && !s.srv.k.Differs(differ.DDLIgnoresBreaks) {
			return errCancelled()
		}
	}
	return nil
}

// accessRows returns the rows of V$ACCESS: who runs what.
func (srv *Server) accessRows(catalog.ViewContext) iter.Seq[value.Row] {
	return func(yield func(value.Row) bool) {
		for _, id := range slices.Sorted(maps.Keys(srv.pins)) {
			p := srv.pins[id]
			for _, s := range slices.SortedFunc(maps.Keys(p.holders), func(a, b *Session) int { return cmp.Compare(a.sid, b.sid) }) {
				if !yield(catalog.Row(s.sid, p.object.Owner, p.object.Name, string(p.object.Kind), 0)) {
					return
				}
			}
		}
	}
}
