package mssql

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/schema"
	"github.com/dbsched/dbsched/templates"
)

// tablesAt returns what the migrations up to a version have made.
func (src source) tablesAt(version int) (*schema.Schema, error) {
	return schema.At(false, src.migrations, version)
}

// Parts lists all that an installation has.
func Parts(l dialects.Layout) ([]schema.Part, error) {
	src, err := render(l)
	if err != nil {
		return nil, err
	}
	return (&scheduler{vocabulary: vocabulary{l.Schema}}).parts(src, l.Lanes, src.migrations[len(src.migrations)-1].Version)
}

// parts returns all that an installation has: what the batches make, and the migrations up to a version. What others need comes before them.
func (s *scheduler) parts(src source, lanes, version int) ([]schema.Part, error) {
	tables, err := src.tablesAt(version)
	if err != nil {
		return nil, err
	}
	all := []schema.Part{{Kind: "user", Name: s.owner()}, {Kind: "schema", Name: s.schema}}
	for _, b := range slices.Concat(src.before, src.after) {
		if b.Kind != templates.KindModule {
			all = append(all, madeBy(b.SQL)...)
		}
	}
	for _, t := range tables.Types {
		all = append(all, schema.Part{Kind: "type", Name: t.Name, Make: []string{t.Text + ";"}})
	}
	for _, t := range tables.Tables {
		all = append(all, s.tableParts(t)...)
	}
	for _, x := range tables.Indexes {
		all = append(all, schema.Part{
			Kind: "index", Name: x.Name, Needs: schema.ColumnKeys(x.Table, slices.Concat(x.Keys, x.Include, tables.Table(x.Table).Mentioned(x.Where))), Is: indexed(x),
			Make: []string{x.Text + ";"}, Mend: []string{"DROP INDEX " + x.Name + " ON " + s.object(x.Table) + ";", x.Text + ";"},
		})
	}
	for _, o := range tables.Options {
		set := []string{o.Text + ";"}
		all = append(all, schema.Part{Kind: "lock escalation", Name: o.Table, Is: o.Value, Needs: []string{"table " + o.Table}, Make: set, Mend: set})
	}
	for _, b := range src.after {
		if b.Kind == templates.KindModule {
			all = append(all, schema.Part{Kind: b.Object.Type, Name: b.Object.Name})
		}
	}
	all = append(all, rowParts(lanes)...)
	for _, b := range src.after {
		if b.Kind == templates.KindGrant {
			all = append(all, s.rightParts(b.SQL, all)...)
		}
	}
	return all, nil
}

var made = regexp.MustCompile(`CREATE (QUEUE|SERVICE|CONTRACT|MESSAGE TYPE|ROLE) (?:\[(?:[^\]]|\]\])+\]\.)?(?:\[((?:[^\]]|\]\])+)\]|(\w+))`)

// madeBy returns what a batch creates besides modules, whatever it checks before.
func madeBy(batch string) (all []schema.Part) {
	for _, m := range made.FindAllStringSubmatch(batch, -1) {
		all = append(all, schema.Part{Kind: strings.ToLower(m[1]), Name: strings.ReplaceAll(m[2], "]]", "]") + m[3]})
	}
	return all
}

// tableParts returns a table with its columns and constraints.
func (s *scheduler) tableParts(t *schema.Table) []schema.Part {
	alter := "ALTER TABLE " + s.object(t.Name) + " "
	all := []schema.Part{{Kind: "table", Name: t.Name, Data: true}}
	for _, c := range t.Columns {
		column := schema.Part{Kind: "column", Name: t.Name + "." + c.Name, Is: c.Type, Needs: []string{"table " + t.Name}, Data: true}
		definition := c.Type
		if c.Collation != "" {
			definition += " COLLATE " + c.Collation
		}
		if c.NotNull {
			column.Is += " NOT NULL"
			definition += " NOT NULL"
		}
		if !c.Identity {
			column.Mend = []string{alter + "ALTER COLUMN " + c.Name + " " + definition + ";"}
		}
		all = append(all, column)
		if c.Default != "" {
			set := alter + "ADD CONSTRAINT " + c.DefaultName + " DEFAULT " + c.Default + " FOR " + c.Name + ";"
			all = append(all, schema.Part{
				Kind: "default", Name: c.DefaultName, Is: t.Name + "." + c.Name + " " + schema.Plain(c.Default), Needs: []string{column.Key()},
				Make: []string{set}, Mend: []string{alter + "DROP CONSTRAINT " + c.DefaultName + ";", set},
			})
		}
	}
	constraint := func(kind, is string, k schema.Constraint, columns []string, how string) {
		add := alter + how + "ADD CONSTRAINT " + k.Name + " " + k.Text + ";"
		all = append(all, schema.Part{
			Kind: kind, Name: k.Name, Is: is, Needs: schema.ColumnKeys(t.Name, columns),
			Make: []string{add}, Mend: []string{alter + "DROP CONSTRAINT " + k.Name + ";", add},
		})
	}
	for _, k := range t.Keys {
		constraint("key", indexed(schema.Index{Table: t.Name, Unique: true, Keys: k.Columns}), k, k.Columns, "")
	}
	for _, k := range t.Checks {
		constraint("check", strings.TrimSpace(t.Name+" "+schema.Values(k.Text)), k, t.Mentioned(k.Text), "WITH CHECK ")
	}
	return all
}

// indexed describes an index or a key. Of a condition it has the values: SQL Server stores the rest in its own words.
func indexed(x schema.Index) string {
	text := fmt.Sprintf("%s (%s)", x.Table, strings.Join(x.Keys, ", "))
	if x.Unique {
		text = "unique " + text
	}
	if len(x.Include) > 0 {
		text += fmt.Sprintf(" including %s", strings.Join(slices.Sorted(slices.Values(x.Include)), ", "))
	}
	if x.Where != "" {
		text = strings.TrimSpace(text + " filtered " + schema.Values(x.Where))
	}
	return text
}

// rowParts returns the rows without which nothing runs.
func rowParts(lanes int) []schema.Part {
	all := []schema.Part{
		{Kind: "row of Settings", Name: "1", Needs: []string{"table Settings"}},
		{Kind: "row of Processes", Name: "0", Needs: []string{"table Processes"}},
		{Kind: "row of Processes", Name: "1", Needs: []string{"table Processes"}},
	}
	for n := 1; n <= lanes; n++ {
		all = append(all, schema.Part{Kind: "row of Lanes", Name: fmt.Sprint(n), Needs: []string{"table Lanes"}})
	}
	return all
}

var granted = regexp.MustCompile(`(GRANT|DENY) ([A-Z, ]+) ON (TYPE::)?(\[(?:[^\]]|\]\])+\]\.(\w+)) TO ([^;]+);`)

// rightParts returns what a batch grants and denies on objects among parts.
func (s *scheduler) rightParts(batch string, among []schema.Part) (all []schema.Part) {
	for _, m := range granted.FindAllStringSubmatch(batch, -1) {
		needs := []string{}
		for _, p := range among {
			if p.Name == m[5] && slices.Contains([]string{"table", "type", "procedure", "function", "view"}, p.Kind) {
				needs = append(needs, p.Key())
			}
		}
		for permission := range strings.SplitSeq(m[2], ", ") {
			for grantee := range strings.SplitSeq(m[6], ", ") {
				name := strings.ReplaceAll(strings.Trim(grantee, "[]"), "]]", "]")
				statement := []string{fmt.Sprintf("%s %s ON %s%s TO %s;", m[1], permission, m[3], m[4], grantee)}
				all = append(all, schema.Part{
					Kind: "right", Name: permission + " on " + m[5] + " of " + name, Is: m[1], Needs: append(slices.Clone(needs), "role "+name),
					Make: statement, Mend: statement,
				})
			}
		}
	}
	return all
}
