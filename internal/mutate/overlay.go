package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"testing/fstest"

	"github.com/dbsched/dbsched/templates"
)

// patched is a file system in which one file has another text.
type patched struct {
	fs.FS

	name string
	text []byte
}

// Open implements fs.FS.
func (p patched) Open(name string) (fs.File, error) {
	if name == p.name {
		return fstest.MapFS{name: {Data: p.text}}.Open(name)
	}
	return p.FS.Open(name)
}

// write writes all templates into a folder, each with the text that change returns.
func write(dir string, change func(file, source string) string) error {
	return fs.WalkDir(templates.Files(), ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		source, err := fs.ReadFile(templates.Files(), file)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		text := string(source)
		if path.Ext(file) == ".sql" {
			text = change(file, text)
		}
		return os.WriteFile(to, []byte(text), 0o644)
	})
}
