package mssql

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/templates"
)

// Render writes the installation for sqlcmd: the batches that Install sends, separated by
// GO. It can be run again.
func (Dialect) Render(w io.Writer, layout dialects.Layout) error {
	if layout.Runner != "" {
		return noRunner()
	}
	if err := checkSchema(layout.Schema); err != nil {
		return err
	}
	src, err := render(layout)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "-- dbsched, schema %s, %d lanes. Run it in the target database, as a member of db_owner, for example:\n"+
		"--   sqlcmd -b -d <database> -i <this file>\n"+
		"-- Service Broker must be on, as it always is on a Managed Instance: ALTER DATABASE CURRENT SET ENABLE_BROKER WITH NO_WAIT;\n"+
		"-- which fails while other sessions use the database, and in an availability group (enable it before you add the database).\n", layout.Schema, layout.Lanes); err != nil {
		return err
	}
	return templates.Print(w, src.script(layout.Schema))
}

// RenderGrants writes the grants for an installation. The administrator fills in the user's
// name, which is not known before a connection is made.
func (Dialect) RenderGrants(w io.Writer, layout dialects.Layout) error {
	if err := checkSchema(layout.Schema); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "-- What schema %s needs. Run it in the target database.\n"+
		"-- The user that installs, upgrades and uninstalls must be a member of db_owner:\n-- ALTER ROLE db_owner ADD MEMBER [<user>];\n"+
		"-- Service Broker must be on. If it is off, this turns it on, or fails if other sessions use the database.\n"+
		"-- WITH ROLLBACK IMMEDIATE instead of WITH NO_WAIT rolls those back and disconnects them.\n"+
		"IF EXISTS (SELECT 1 FROM sys.databases WHERE database_id = DB_ID() AND is_broker_enabled = 0)\n"+
		"    ALTER DATABASE CURRENT SET ENABLE_BROKER WITH NO_WAIT;\nGO\n", layout.Schema)
	return err
}

// RenderKillScript writes the script with which a sysadmin signs the procedure that ends sessions.
func (Dialect) RenderKillScript(w io.Writer, layout dialects.Layout) error {
	if err := checkSchema(layout.Schema); err != nil {
		return err
	}
	batches, err := templates.MSSQLKillScript(templates.Params{Schema: layout.Schema, Files: layout.Templates})
	if err != nil {
		return err
	}
	return templates.Print(w, batches)
}

// RenderTrust writes the script that lets tasks of named users leave the database: a part for its owner, and a part for the owner of each other database.
func (Dialect) RenderTrust(w io.Writer, layout dialects.Layout, trust dialects.Trust) error {
	if err := checkSchema(layout.Schema); err != nil {
		return err
	}
	for _, list := range []struct {
		flag  string
		names []string
	}{{"--users", trust.Users}, {"--to", trust.Targets}} {
		for i, name := range list.names {
			switch {
			case name == "" || !utf8.ValidString(name) || len(utf16.Encode([]rune(name))) > 128 || strings.ContainsFunc(name, unicode.IsControl):
				return dialects.Usagef("%s: %q is not a valid name. Use 1 to 128 printable characters", list.flag, name)
			case strings.Contains(name, "$("):
				return dialects.Usagef("%s: %q contains $(, which sqlcmd would replace", list.flag, name)
			case slices.Contains(list.names[:i], name):
				return dialects.Usagef("%s names %q twice", list.flag, name)
			}
		}
	}
	batches, err := templates.MSSQLTrust(templates.Params{Schema: layout.Schema, Files: layout.Templates}, templates.Trust(trust))
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "-- dbsched, schema %s: tasks of named users may leave the database. Start in dbsched's database. The owner of all databases can run it in one step:\n"+
		"--   sqlcmd -b -d <database> -i <this file>\n", layout.Schema); err != nil {
		return err
	}
	return templates.Print(w, batches)
}

// script returns everything that Install would send to an empty database.
func (src source) script(schema string) []templates.Batch {
	batches := append([]templates.Batch{}, src.before...)
	table := versionTable(schema)
	add := func(name, format string, args ...any) {
		batches = append(batches, templates.Batch{Name: name, SQL: fmt.Sprintf(format, args...)})
	}
	add("version table", "-- The version of the tables.\n%s", createVersionTable(table))
	for _, m := range src.migrations {
		// A migration sets XACT_ABORT, so its version is not written if it fails.
		add(m.File, "-- %s, unless it was already applied.\nIF NOT EXISTS (SELECT 1 FROM %s WHERE version >= %d)\nBEGIN\n%s\n"+
			"DELETE FROM %s;\nINSERT INTO %s (version, dirty) VALUES (%d, 0);\nEND;", m.File, table, m.Version, strings.TrimSpace(m.SQL), table, table, m.Version)
	}
	return append(batches, src.after...)
}
