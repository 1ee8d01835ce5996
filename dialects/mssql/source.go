package mssql

import (
	"io/fs"
	"sync"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/migrations"
	"github.com/dbsched/dbsched/templates"
)

// source is the rendered installation.
type source struct {
	before     []templates.Batch // owner, schema, roles: the tables need them
	files      fs.FS             // the migrations as golang-migrate reads them
	migrations []migrations.Migration
	after      []templates.Batch
}

// render renders the installation for a layout.
func render(l dialects.Layout) (source, error) {
	var src source
	version, err := contentVersion()
	if err != nil {
		return src, err
	}
	batches, err := templates.MSSQL(templates.Params{Schema: l.Schema, Lanes: l.Lanes, Version: version, Files: l.Templates})
	if err != nil {
		return src, err
	}
	for _, b := range batches {
		if b.Kind == templates.KindSchema || b.Kind == templates.KindRole {
			src.before = append(src.before, b)
		} else {
			src.after = append(src.after, b)
		}
	}
	if src.files, err = migrations.MSSQL(l.Schema, l.Later); err != nil {
		return src, err
	}
	src.migrations, err = migrations.Up(src.files)
	return src, err
}

// Version is the version of the SQL that this program installs.
func (Dialect) Version() (string, error) { return contentVersion() }

// contentVersion is the installed version: a digest of the SQL, so that builds of the
// program with the same SQL agree, and a worker leaves only if its code changed.
var contentVersion = sync.OnceValues(func() (string, error) {
	batches, err := templates.MSSQL(templates.Params{Schema: "s", Lanes: 1, Version: "v"})
	return templates.Digest(batches), err
})

// checkSchema rejects schema names that cannot be used for an installation.
func checkSchema(name string) error {
	if err := templates.CheckSchemaName(name); err != nil {
		return dialects.Usagef("--schema: %v", err)
	}
	return nil
}
