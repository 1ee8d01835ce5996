package oracle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/schema"
	"github.com/dbsched/dbsched/migrations"
	"github.com/dbsched/dbsched/templates"
)

// tablesAt returns what the migrations up to a version have made.
func (src source) tablesAt(version int) (*schema.Schema, error) {
	return schema.At(true, src.migrations, version)
}

// Parts lists all that an installation has.
func Parts(l dialects.Layout) ([]schema.Part, error) {
	src, err := render(l)
	if err != nil {
		return nil, err
	}
	all, err := src.parts(l.Lanes, src.migrations[len(src.migrations)-1].Version)
	for _, b := range src.after {
		if b.Object.Type != "" {
			all = append(all, schema.Part{Kind: b.Object.Type, Name: b.Object.Name})
		}
	}
	for n := 1; n <= l.Lanes; n++ {
		all = append(all, schema.Part{Kind: "job", Name: fmt.Sprintf("%s%02d", strings.ToUpper(object("lane_")), n)})
	}
	return all, err
}

// parts returns what the migrations up to a version have made, and the rows without which nothing runs. What others need comes before them.
func (src source) parts(lanes, version int) ([]schema.Part, error) {
	tables, err := src.tablesAt(version)
	if err != nil {
		return nil, err
	}
	var all []schema.Part
	for _, q := range tables.Sequences {
		all = append(all, schema.Part{Kind: "sequence", Name: q.Name, Make: []string{q.Text}})
	}
	for _, t := range tables.Tables {
		var indexes []string
		for _, x := range tables.Indexes {
			if x.Table == t.Name {
				indexes = append(indexes, x.Text)
			}
		}
		all = append(all, tableParts(t, indexes)...)
	}
	for _, x := range tables.Indexes {
		all = append(all, indexPart(tables.Table(x.Table), x, x.Text))
	}
	for _, n := range []string{"1 of DS_SETTINGS", "0 of DS_PROCESSES", "1 of DS_PROCESSES"} {
		all = append(all, rowPart(n))
	}
	for n := 1; n <= lanes; n++ {
		all = append(all, rowPart(fmt.Sprintf("%d of DS_LANES", n)))
	}
	return all, nil
}

func rowPart(name string) schema.Part {
	_, table, _ := strings.Cut(name, " of ")
	return schema.Part{Kind: "row", Name: name, Needs: []string{"table " + table}}
}

// replaceable returns the tables whose rows nobody would miss, and what else it takes to make them anew. The version of the tables says which
// migrations of the journal are complete; marks say where claims must look, and without a watermark they look everywhere.
func replaceable() map[string][]string {
	return map[string][]string{
		migrations.OracleJournal(templates.DefaultPrefix): nil,
		strings.ToUpper(object("wake_sent")):              {"update " + object("processes") + " set wave_order = null where finished_at is null"},
	}
}

// tableParts returns a table with its columns and constraints; one that is replaceable is made anew if it is not as it should be.
func tableParts(t *schema.Table, indexes []string) []schema.Part {
	name := strings.ToLower(t.Name)
	more, ok := replaceable()[t.Name]
	table := schema.Part{Kind: "table", Name: t.Name, Data: !ok}
	if ok {
		var columns []string
		for _, c := range t.Columns {
			columns = append(columns, c.Name+" "+columnType(c))
		}
		table.Is, table.Make = strings.Join(columns, ", "), slices.Concat([]string{t.Text}, indexes, more)
		table.Mend = slices.Concat([]string{"drop table " + name + " purge"}, table.Make)
		return []schema.Part{table}
	}
	all := []schema.Part{table}
	for _, c := range t.Columns {
		column := schema.Part{Kind: "column", Name: t.Name + "." + c.Name, Is: columnType(c), Needs: []string{table.Key()}, Data: c.Virtual == ""}
		if c.Virtual != "" {
			column.Needs = append(column.Needs, schema.ColumnKeys(t.Name, t.Mentioned(c.Virtual))...)
			column.Make = []string{fmt.Sprintf("alter table %s add (%s)", name, c.Text)}
		} else {
			column.Mend = []string{fmt.Sprintf("alter table %s modify (%s %s)", name, strings.ToLower(c.Name), c.Type)}
		}
		all = append(all, column)
		if c.NotNull {
			set := []string{fmt.Sprintf("alter table %s modify (%s not null)", name, strings.ToLower(c.Name))}
			all = append(all, schema.Part{Kind: "not null", Name: column.Name, Needs: []string{column.Key()}, Make: set})
		}
		if c.Default != "" {
			set := []string{fmt.Sprintf("alter table %s modify (%s default %s)", name, strings.ToLower(c.Name), c.Default)}
			all = append(all, schema.Part{Kind: "default", Name: column.Name, Is: schema.Plain(c.Default), Needs: []string{column.Key()}, Make: set, Mend: set})
		}
	}
	constraint := func(kind, is string, k schema.Constraint, columns []string) {
		add := fmt.Sprintf("alter table %s add constraint %s %s", name, strings.ToLower(k.Name), k.Text)
		all = append(all, schema.Part{
			Kind: kind, Name: k.Name, Is: is, Needs: schema.ColumnKeys(t.Name, columns),
			Make: []string{add}, Mend: []string{fmt.Sprintf("alter table %s drop constraint %s", name, strings.ToLower(k.Name)), add},
		})
	}
	for _, k := range t.Keys {
		constraint("key", indexed(t.Name, k.Columns), k, k.Columns)
		x := indexPart(t, schema.Index{Made: schema.Made{Name: k.Name}, Table: t.Name, Keys: k.Columns}, "")
		x.Needs = []string{"key " + k.Name}
		all = append(all, x)
	}
	for _, k := range t.Checks {
		constraint("check", strings.TrimSpace(t.Name+" "+schema.Values(k.Text)), k, t.Mentioned(k.Text))
	}
	return all
}

// indexPart returns an index; text is empty for one that belongs to a constraint.
func indexPart(t *schema.Table, x schema.Index, text string) schema.Part {
	name := strings.ToLower(x.Name)
	p := schema.Part{Kind: "index", Name: x.Name, Is: indexed(x.Table, shown(t, x.Keys)), Needs: append(schema.ColumnKeys(x.Table, x.Keys), "table "+t.Name)}
	if text != "" {
		p.Make, p.Mend = []string{text}, []string{"drop index " + name, text}
	}
	return p
}

// indexed describes the columns of an index or a key.
func indexed(table string, columns []string) string {
	return fmt.Sprintf("%s (%s)", table, strings.Join(columns, ", "))
}

// shown returns the columns of an index as the dictionary shows them: a TIMESTAMP WITH TIME ZONE is indexed by an expression, in a hidden
// column.
func shown(t *schema.Table, columns []string) (all []string) {
	for _, name := range columns {
		for _, c := range t.Columns {
			if c.Name == name && strings.HasSuffix(c.Type, "with time zone") {
				name = hidden
			}
		}
		all = append(all, name)
	}
	return all
}

// hidden stands for a hidden column.
const hidden = "an expression"

// columnType describes a column as the dictionary does. Of a virtual one it has the values in the expression: Oracle stores the rest in its
// own words.
func columnType(c schema.Column) string {
	text := strings.ToUpper(c.Type)
	for _, unit := range []string{" CHAR)", " BYTE)"} {
		text = strings.Replace(text, unit, ")", 1)
	}
	if c.Virtual != "" {
		text = strings.TrimSpace(text + " virtual " + schema.Values(c.Virtual))
	}
	return text
}
