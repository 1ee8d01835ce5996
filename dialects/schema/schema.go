// Package schema knows what an installation has in its database from the statements that make it, so that nothing has to be listed
// twice, and compares it with what is there.
package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/migrations"
)

// Schema is what statements have made. Names are as written, without a schema.
type Schema struct {
	Tables    []*Table
	Indexes   []Index
	Sequences []Made
	Types     []Made   // of tables
	Options   []Option // of tables
	upper     bool     // names are in upper case
}

// Made is an object and the statement that makes it.
type Made struct{ Name, Text string }

// Table is a table.
type Table struct {
	Made

	Columns []Column
	Keys    []Constraint // primary key and unique ones
	Checks  []Constraint
}

// Column is a column of a table.
type Column struct {
	Name, Type  string // the type in lower case, with its length
	NotNull     bool
	Default     string // expression; empty: none
	DefaultName string // of its constraint, where the engine has one
	Collation   string // empty: the database's
	Identity    bool
	Virtual     string // expression; empty: it is stored
	Text        string // as written
}

// Constraint is a key or a condition.
type Constraint struct {
	Name    string
	Columns []string // of a key
	Text    string   // what follows the name
}

// Index is an index that belongs to no constraint.
type Index struct {
	Made

	Table   string
	Unique  bool
	Keys    []string // columns, with DESC after those that descend
	Include []string
	Where   string // condition; empty: none
}

// Option is a setting of a table and the statement that sets it.
type Option struct{ Table, Name, Value, Text string }

// New returns an empty schema. With upper, the engine's catalog has names in upper case.
func New(upper bool) *Schema { return &Schema{upper: upper} }

// At returns what the migrations up to a version have made.
func At(upper bool, all []migrations.Migration, version int) (*Schema, error) {
	is := New(upper)
	apply := is.Batch
	if upper {
		apply = is.Block
	}
	for _, m := range all {
		if m.Version <= version {
			if err := apply(m.SQL); err != nil {
				return nil, err
			}
		}
	}
	return is, nil
}

// Batch applies the statements of a batch of T-SQL.
func (s *Schema) Batch(text string) error {
	depth, from := 0, 0
	for _, t := range tokens(text) {
		switch {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		case t.is(";") && depth == 0:
			if err := s.Apply(text[from:t.to]); err != nil {
				return err
			}
			from = t.to
		}
	}
	return nil
}

// Block applies the statements that a PL/SQL block composes: in step and after EXECUTE IMMEDIATE.
func (s *Schema) Block(text string) error {
	r := read(text)
	for !r.done() {
		if (r.accept("step", "(") || r.accept("execute", "immediate")) && r.at(0).kind == 's' {
			if err := s.Apply(r.at(0).text); err != nil {
				return err
			}
			continue
		}
		r.i++
	}
	return nil
}

// Apply adds what a statement makes, or removes what it drops. It fails for definitions that it does not know, so that nothing that a
// migration makes goes unnoticed.
func (s *Schema) Apply(statement string) error {
	r := read(statement)
	if len(r.all) == 0 {
		return nil
	}
	text := strings.TrimSuffix(strings.TrimSpace(statement[r.all[0].from:]), ";")
	switch {
	case r.accept("create"):
		return s.create(r, text)
	case r.accept("alter", "table"):
		return s.alter(r, text)
	case r.accept("drop"):
		return s.drop(r, text)
	case r.at(0).is("alter") && r.at(1).is("session"),
		r.at(0).is("set", "begin", "commit", "insert", "update", "delete", "select", "comment", "if"):
		return nil
	}
	return unknown(text)
}

func unknown(text string) error {
	line, _, _ := strings.Cut(text, "\n")
	return fmt.Errorf("a migration has a statement whose effect is not known: %s", line)
}

// named reads a name as the catalog spells it.
func (s *Schema) named(r *reader) string { return s.spelled(r.name()) }

func (s *Schema) spelled(name string) string {
	if s.upper {
		return strings.ToUpper(name)
	}
	return strings.Trim(name, "[]")
}

func (s *Schema) all(names []string) []string {
	for i, name := range names {
		names[i] = s.spelled(name)
	}
	return names
}

func (s *Schema) create(r *reader, text string) error {
	unique := r.accept("unique")
	if !r.accept("clustered") {
		r.accept("nonclustered")
	}
	switch {
	case r.accept("table"):
		t := &Table{Made: Made{s.named(r), text}}
		s.Tables = append(s.Tables, t)
		return s.elements(r, t)
	case r.accept("index"):
		x := Index{Made: Made{Name: s.named(r), Text: text}, Unique: unique}
		r.accept("on")
		x.Table = s.named(r)
		for _, key := range r.list() {
			name, order, _ := strings.Cut(key, " ")
			if name = s.spelled(name); strings.EqualFold(strings.TrimSpace(order), "desc") {
				name += " DESC"
			}
			x.Keys = append(x.Keys, name)
		}
		if r.accept("include") {
			x.Include = s.all(r.list())
		}
		if r.accept("where") {
			x.Where = strings.TrimRight(r.text[r.at(0).from:], "; \n")
		}
		s.Indexes = append(s.Indexes, x)
		return nil
	case r.accept("sequence"):
		s.Sequences = append(s.Sequences, Made{s.named(r), text})
		return nil
	case r.accept("type"):
		s.Types = append(s.Types, Made{s.named(r), text})
		return nil
	}
	return unknown(text)
}

// elements reads the columns and constraints of a table, in parentheses or one after another.
func (s *Schema) elements(r *reader, t *Table) error {
	parentheses := r.accept("(")
	for !r.done() && !r.at(0).is(")", ";") {
		from := r.i
		for !r.done() && !r.at(0).is(",", ")", ";") {
			r.skip()
		}
		e := reader{r.text, r.all[from:r.i], 0}
		if e.at(0).is("constraint") {
			if err := s.constraint(&e, t, nil); err != nil {
				return err
			}
		} else if err := s.column(&e, t); err != nil {
			return err
		}
		r.accept(",")
	}
	if parentheses && !r.accept(")") {
		return unknown(r.text)
	}
	return nil
}

var clauses = []string{"constraint", "not", "null", "default", "check", "primary", "unique", "identity", "collate", "generated", "references"}

func (s *Schema) column(r *reader, t *Table) error {
	first := r.at(0).from
	c := Column{Name: s.named(r)}
	from := r.at(0).from
	for !r.done() && !r.at(0).is(clauses...) {
		r.skip()
	}
	if to := r.all[r.i-1].to; to > from { // a virtual column may leave its type to the server
		c.Type = strings.ToLower(strings.TrimSpace(r.text[from:to]))
	}
	c.Text = r.text[first:r.all[len(r.all)-1].to]
	t.Columns = append(t.Columns, c)
	is := &t.Columns[len(t.Columns)-1]
	for !r.done() {
		switch {
		case r.accept("not", "null"):
			is.NotNull = true
		case r.accept("null"):
		case r.accept("collate"):
			is.Collation = r.skip()
		case r.accept("identity"):
			is.Identity = true
			if r.at(0).is("(") {
				r.skip()
			}
		case r.accept("default"):
			is.Default = r.skip()
		case r.accept("generated", "always", "as"):
			is.Virtual = r.skip()
			r.accept("virtual")
		case r.at(0).is("constraint"):
			if err := s.constraint(r, t, is); err != nil {
				return err
			}
		case r.accept("primary", "key"): // without a name: of a type
		default:
			return unknown(c.Text)
		}
	}
	return nil
}

// constraint reads CONSTRAINT name and what follows; column is the one that it stands behind.
func (s *Schema) constraint(r *reader, t *Table, column *Column) error {
	r.accept("constraint")
	k := Constraint{Name: s.named(r)}
	from := r.at(0).from
	switch {
	case column != nil && r.accept("default"):
		column.Default, column.DefaultName = r.skip(), k.Name
	case r.accept("check"):
		r.skip()
		k.Text = r.text[from:r.all[r.i-1].to]
		t.Checks = append(t.Checks, k)
	case r.accept("primary", "key"), r.accept("unique"):
		if !r.accept("clustered") {
			r.accept("nonclustered")
		}
		columns := ""
		if column != nil {
			k.Columns, columns = []string{column.Name}, " ("+column.Name+")"
		} else {
			k.Columns = s.all(r.list())
		}
		if r.accept("using", "index") {
			r.skip()
		}
		k.Text = r.text[from:r.all[r.i-1].to] + columns
		t.Keys = append(t.Keys, k)
	default:
		return unknown(r.text)
	}
	return nil
}

// Mentioned returns the columns that an expression mentions.
func (t *Table) Mentioned(expression string) (names []string) {
	words := tokens(expression)
	for _, c := range t.Columns {
		if slices.ContainsFunc(words, func(w token) bool { return w.kind != 's' && strings.EqualFold(w.text, c.Name) }) {
			names = append(names, c.Name)
		}
	}
	return names
}

// Table returns a table by its name, or nil.
func (s *Schema) Table(name string) *Table {
	for _, t := range s.Tables {
		if strings.EqualFold(t.Name, name) {
			return t
		}
	}
	return nil
}

func (s *Schema) alter(r *reader, text string) error {
	name := s.named(r)
	t := s.Table(name)
	if t == nil {
		return unknown(text)
	}
	switch {
	case r.accept("add"):
		return s.elements(r, t)
	case r.accept("set", "("):
		option := r.name()
		r.accept("=")
		s.Options = append(s.Options, Option{name, option, r.name(), text})
		return nil
	case r.accept("drop", "column"):
		gone := s.named(r)
		t.Columns = slices.DeleteFunc(t.Columns, func(c Column) bool { return c.Name == gone })
		return nil
	case r.accept("drop", "constraint"):
		gone := s.named(r)
		is := func(k Constraint) bool { return k.Name == gone }
		t.Keys, t.Checks = slices.DeleteFunc(t.Keys, is), slices.DeleteFunc(t.Checks, is)
		for i := range t.Columns {
			if c := &t.Columns[i]; c.DefaultName == gone {
				c.Default, c.DefaultName = "", ""
			}
		}
		return nil
	}
	return unknown(text)
}

func (s *Schema) drop(r *reader, text string) error {
	switch {
	case r.accept("table"):
		gone := s.named(r)
		s.Tables = slices.DeleteFunc(s.Tables, func(t *Table) bool { return t.Name == gone })
		s.Indexes = slices.DeleteFunc(s.Indexes, func(x Index) bool { return x.Table == gone })
		s.Options = slices.DeleteFunc(s.Options, func(o Option) bool { return o.Table == gone })
	case r.accept("index"):
		gone := s.named(r)
		s.Indexes = slices.DeleteFunc(s.Indexes, func(x Index) bool { return x.Name == gone })
	case r.accept("sequence"):
		gone := s.named(r)
		s.Sequences = slices.DeleteFunc(s.Sequences, func(m Made) bool { return m.Name == gone })
	case r.accept("type"):
		gone := s.named(r)
		s.Types = slices.DeleteFunc(s.Types, func(m Made) bool { return m.Name == gone })
	default:
		return unknown(text)
	}
	return nil
}
