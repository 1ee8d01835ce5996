// Package templates holds the SQL that dbsched installs, one database object
// per file, and renders it for a schema name and a number of lanes.
//
// The files are numbered by layer: what a file uses is in a file with a
// lower number or in package migrations. Folders named like 4-bodies group the
// files of a step; one named like 32_body_worker holds the parts of
// one object, which are joined in the order of their names. A rendered [Batch] is sent to the
// server as it is; [Print] writes a script for people and for sqlcmd.
package templates

import (
	"embed"
	"io/fs"
)

//go:embed mssql oracle
var embedded embed.FS

// files are the templates.
var files fs.FS = embedded

// Files returns the templates.
func Files() fs.FS { return files }

// Use replaces the program's own templates: for tests of mistakes in them. Nobody may render meanwhile.
func Use(other fs.FS) {
	files = other
	own.Clear()
}

// filesOf returns the templates to render.
func filesOf(p Params) fs.FS {
	if p.Files != nil {
		return p.Files
	}
	return files
}
