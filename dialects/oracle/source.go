package oracle

import (
	"io/fs"
	"slices"
	"sync"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/migrations"
	"github.com/dbsched/dbsched/templates"
)

// source is the rendered installation.
type source struct {
	preflight  []templates.Batch // changes nothing, refuses
	files      fs.FS             // the migrations as golang-migrate reads them
	migrations []migrations.Migration
	after      []templates.Batch
	runner     []templates.Batch // what the runner sends, its check first; includes those of after
}

// render renders the installation for a layout.
func render(l dialects.Layout) (source, error) {
	var src source
	version, err := contentVersion()
	if err != nil {
		return src, err
	}
	batches, err := templates.Oracle(templates.Params{Schema: l.Schema, Lanes: l.Lanes, Version: version, Runner: l.Runner, Files: l.Templates})
	if err != nil {
		return src, err
	}
	for _, b := range batches {
		if b.Kind == templates.KindSchema {
			src.preflight = append(src.preflight, b)
		} else {
			src.after = append(src.after, b)
		}
	}
	if l.Runner != "" {
		if src.runner, err = templates.OracleRunner(templates.Params{Schema: l.Schema, Lanes: l.Lanes, Version: version, Runner: l.Runner, Files: l.Templates}); err != nil {
			return src, err
		}
	}
	if src.files, err = migrations.Oracle(templates.DefaultPrefix, l.Later); err != nil {
		return src, err
	}
	src.migrations, err = migrations.Up(src.files)
	return src, err
}

// Version is the version of the SQL that this program installs.
func (Dialect) Version() (string, error) { return contentVersion() }

// contentVersion is the installed version: a digest of the SQL, so that builds of
// the program with the same SQL agree, and a worker leaves only if its code changed.
var contentVersion = sync.OnceValues(func() (string, error) {
	own, err := templates.Oracle(templates.Params{Schema: "S", Lanes: 1, Version: "v"})
	if err != nil {
		return "", err
	}
	other, err := templates.Oracle(templates.Params{Schema: "S", Lanes: 1, Version: "v", Runner: "R"})
	return templates.Digest(slices.Concat(own, other)), err
})
