package oracle

import (
	"fmt"
	"io"
	"strings"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/migrations"
	"github.com/dbsched/dbsched/templates"
)

// Render writes the installation for SQL*Plus and SQLcl: the batches that
// Install sends, separated by slashes. It can be run again.
func (Dialect) Render(w io.Writer, layout dialects.Layout) error {
	if err := checkLayout(layout); err != nil {
		return err
	}
	src, err := render(layout)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "-- dbsched for the user %s, %d lanes. Run it as that user, for example:\n--   sqlplus %s@//host:1521/service @install.sql\n"+
		"-- To print the rights that it needs: dbsched render --grants --dialect oracle --schema %s\n",
		strings.ToUpper(layout.Schema), layout.Lanes, strings.ToLower(layout.Schema), strings.ToLower(layout.Schema)); err != nil {
		return err
	}
	if layout.Runner != "" {
		if _, err := fmt.Fprintf(w, "-- Tasks run as %[1]s. Afterwards that user runs the output of: dbsched render --dialect oracle --schema %[2]s --runner %[3]s --as-runner\n",
			strings.ToUpper(layout.Runner), strings.ToLower(layout.Schema), strings.ToLower(layout.Runner)); err != nil {
			return err
		}
	}
	return templates.PrintOracle(w, src.script())
}

// RenderRunner writes what the runner runs after the owner has run what Render writes: the jobs that run tasks.
func (Dialect) RenderRunner(w io.Writer, layout dialects.Layout) error {
	if layout.Runner == "" {
		return dialects.Usagef("name the user that runs the tasks: --runner NAME")
	}
	if err := checkLayout(layout); err != nil {
		return err
	}
	src, err := render(layout)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "-- The jobs of dbsched in schema %s. Run this as its runner: %s\n", strings.ToUpper(layout.Schema), strings.ToUpper(layout.Runner)); err != nil {
		return err
	}
	return templates.PrintOracle(w, src.runner)
}

// RenderKillScript has nothing to write.
func (Dialect) RenderKillScript(io.Writer, dialects.Layout) error {
	return dialects.Usagef("--kill is for SQL Server. Oracle needs no kill script")
}

// RenderTrust has nothing to write.
func (Dialect) RenderTrust(io.Writer, dialects.Layout, dialects.Trust) error {
	return dialects.Usagef("--trust is for SQL Server. In Oracle, tasks reach other schemas and databases through grants and database links")
}

// RenderGrants writes the GRANT statements for the user.
func (Dialect) RenderGrants(w io.Writer, layout dialects.Layout) error {
	if err := checkLayout(layout); err != nil {
		return err
	}
	return templates.PrintOracleGrants(w, templates.Params{Schema: layout.Schema, Runner: layout.Runner})
}

// checkLayout refuses a layout without a user, because there is no login to take it from.
func checkLayout(l dialects.Layout) error {
	if l.Schema == "" {
		return dialects.Usagef("name the schema: --schema NAME")
	}
	if err := templates.CheckOracleOwner(l.Schema); err != nil {
		return dialects.Usagef("--schema: %v", err)
	}
	return checkRunner(l.Schema, l.Runner)
}

// script returns everything that Install would send to an empty schema.
func (src source) script() []templates.Batch {
	batches := append([]templates.Batch{}, src.preflight...)
	add := func(name, text string) { batches = append(batches, templates.Batch{Name: name, SQL: text}) }
	table := migrations.OracleVersionTable(templates.DefaultPrefix)
	add("version table", createVersionTable(table))
	for _, m := range src.migrations {
		// Its journal skips the parts that exist.
		add(m.File, m.SQL)
		add(m.File+", version", fmt.Sprintf("begin\n    delete from %[1]s v where v.version < %[2]d;\n"+
			"    insert into %[1]s (version, dirty)\n    select %[2]d, 0 from dual where not exists (select 1 from %[1]s v);\n    commit;\nend;", strings.ToLower(table), m.Version))
	}
	for _, b := range src.after {
		if b.Kind != templates.KindRunner {
			batches = append(batches, b)
		}
	}
	return batches
}
