package migrations

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// Migration is one rendered file NNNN_name.up.sql.
type Migration struct {
	Version int
	File    string
	SQL     string
}

// Up lists the up files of a dialect in the order of their versions.
func Up(files fs.FS) ([]Migration, error) {
	names, err := fs.Glob(files, "*.up.sql") // sorted
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("there are no migrations")
	}
	all := make([]Migration, 0, len(names))
	for _, name := range names {
		digits, _, _ := strings.Cut(name, "_")
		version, err := strconv.Atoi(digits)
		if err != nil {
			return nil, fmt.Errorf("migration %s has no version: %w", name, err)
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		all = append(all, Migration{version, name, string(text)})
	}
	return all, nil
}
