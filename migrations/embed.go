// Package migrations holds the tables of dbsched as golang-migrate files, one
// batch per file, and renders them for the names of an installation. For SQL
// Server a file is one transaction; for Oracle, where DDL cannot be rolled back,
// it is a block that can be run again.
package migrations

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"text/template"
)

//go:embed mssql/*.sql oracle/*.sql oracle/*.tmpl
var embedded embed.FS

var files fs.FS = embedded

// Use replaces the program's own migrations, before any is read: for tests of mistakes in them.
func Use(other fs.FS) { files = other }

// VersionTable is the name of golang-migrate's own table, in the schema of the
// installation.
const VersionTable = "SchemaVersion"

// MSSQL returns the migrations for SQL Server as a file system whose files are
// rendered when they are read. It fits golang-migrate's iofs source with the
// path ".". The caller has checked the schema name; one that could end an
// identifier is still refused. later, unless nil, holds migrations of a
// future version.
func MSSQL(schema string, later fs.FS) (fs.FS, error) {
	if schema == "" || strings.ContainsAny(schema, "]\r\n") {
		return nil, fmt.Errorf("schema name %q cannot be used in a migration", schema)
	}
	sub, err := fs.Sub(files, "mssql")
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	return rendered{base: sub, later: later, data: struct{ Schema string }{"[" + schema + "]"}}, nil
}

var (
	createTable = regexp.MustCompile(`(?m)^CREATE TABLE \{\{\.Schema\}\}\.(\w+)`)
	createType  = regexp.MustCompile(`(?m)^CREATE TYPE \{\{\.Schema\}\}\.(\w+)`)
)

// Tables returns the names of all tables that the migrations create, sorted.
func Tables() []string { return made("mssql", createTable) }

// Types returns the names of all table types that the migrations create, sorted.
func Types() []string { return made("mssql", createType) }

// made lists the names that a kind of statement in the migrations defines.
func made(dialect string, statement *regexp.Regexp) []string {
	var names []string
	paths, _ := fs.Glob(files, dialect+"/*.up.sql")
	for _, path := range paths {
		text, _ := fs.ReadFile(files, path)
		for _, m := range statement.FindAllSubmatch(text, -1) {
			names = append(names, string(m[1]))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// rendered is a read-only file system over templates.
type rendered struct {
	base, later fs.FS
	data        any
}

// Open implements [fs.FS].
func (r rendered) Open(name string) (fs.File, error) {
	from := r.base
	f, err := from.Open(name)
	if errors.Is(err, fs.ErrNotExist) && r.later != nil {
		from = r.later
		f, err = from.Open(name)
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil || info.IsDir() {
		return f, err
	}
	defer f.Close()
	text, err := fs.ReadFile(from, name)
	if err != nil {
		return nil, err
	}
	t, err := r.parse(name, string(text))
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	var out bytes.Buffer
	if err := t.Execute(&out, r.data); err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &file{Reader: bytes.NewReader(out.Bytes()), info: info}, nil
}

// parse reads a migration, with the templates that migrations share.
func (r rendered) parse(name, text string) (*template.Template, error) {
	t, err := template.New(name).Parse(text)
	if err != nil {
		return nil, err
	}
	shared, err := fs.Glob(r.base, "*.tmpl")
	if err != nil || len(shared) == 0 {
		return t, err
	}
	return t.ParseFS(r.base, shared...)
}

// ReadDir implements [fs.ReadDirFS], with which iofs lists the files.
func (r rendered) ReadDir(name string) ([]fs.DirEntry, error) {
	all, err := fs.ReadDir(r.base, name)
	if err != nil || r.later == nil {
		return all, err
	}
	later, err := fs.ReadDir(r.later, name)
	return append(all, later...), err
}

// file is one rendered migration.
type file struct {
	*bytes.Reader
	info fs.FileInfo
}

// Stat implements [fs.File].
func (f *file) Stat() (fs.FileInfo, error) { return fileInfo{f.info, f.Size()}, nil }

// Close implements [fs.File].
func (f *file) Close() error { return nil }

// fileInfo is the template's, but with the rendered size.
type fileInfo struct {
	fs.FileInfo
	size int64
}

// Size returns the number of rendered bytes.
func (i fileInfo) Size() int64 { return i.size }
