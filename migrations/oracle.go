package migrations

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

var (
	oraclePrefix   = regexp.MustCompile(`^[A-Z][A-Z0-9]{0,4}_$`)
	oracleTable    = regexp.MustCompile(`create table \{\{\.P\}\}(\w+)`)
	oracleSequence = regexp.MustCompile(`create sequence \{\{\.P\}\}(\w+)`)
)

// Oracle returns the migrations for Oracle as a file system whose files are
// rendered when they are read, for iofs with the path ".". Each file is one
// PL/SQL block that can be run again after it was killed at any point. The
// names of all objects begin with prefix: a letter, at most four letters or
// digits, an underscore, in upper case. later, unless nil, holds migrations of
// a future version.
func Oracle(prefix string, later fs.FS) (fs.FS, error) {
	if !oraclePrefix.MatchString(prefix) {
		return nil, fmt.Errorf("prefix %q cannot be used in a migration", prefix)
	}
	sub, err := fs.Sub(files, "oracle")
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	return rendered{base: sub, later: later, data: struct{ P, PU string }{strings.ToLower(prefix), prefix}}, nil
}

// OracleTables returns the names of all tables that the migrations for Oracle
// create, including their journal, as the dictionary spells them, sorted.
func OracleTables(prefix string) []string { return oracleNames(prefix, oracleTable) }

// OracleSequences returns the names of all sequences that the migrations for
// Oracle create, as the dictionary spells them, sorted.
func OracleSequences(prefix string) []string { return oracleNames(prefix, oracleSequence) }

// OracleVersionTable is the name of golang-migrate's own table.
func OracleVersionTable(prefix string) string { return prefix + "SCHEMA_VERSION" }

// OracleJournal is the name of the table in which the migrations record which of
// their steps are done. It is created before everything else.
func OracleJournal(prefix string) string { return prefix + "INSTALL_STEPS" }

func oracleNames(prefix string, statement *regexp.Regexp) []string {
	names := made("oracle", statement)
	for i, name := range names {
		names[i] = prefix + strings.ToUpper(name)
	}
	slices.Sort(names)
	return names
}
