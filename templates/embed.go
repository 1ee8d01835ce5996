// Package templates holds the SQL that dbsched installs, one database object
// per file, and renders it for a schema name and a number of lanes.
//
// A folder is a topic, the same for both engines: topics.txt says in a sentence what each is about. The order of
// installation is that of the lists mssql/order.txt and oracle/order.txt, which also name what is made of several files. A rendered [Batch] is sent
// to the server as it is; [Print] writes a script for people and for sqlcmd.
package templates

import (
	"embed"
	"io/fs"
)

//go:embed mssql oracle topics.txt
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
