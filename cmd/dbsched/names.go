package main

import (
	"encoding/csv"
	"errors"
	"strings"

	"github.com/spf13/pflag"

	"github.com/dbsched/dbsched/internal/format"
)

// names is a flag with several values, separated by commas. pflag's own takes only the first line and drops the others.
type names struct{ all *[]string }

// namesVar defines such a flag.
func namesVar(f *pflag.FlagSet, all *[]string, name, usage string) { f.Var(names{all}, name, usage) }

// Set adds values.
func (n names) Set(text string) error {
	if strings.ContainsFunc(text, format.Unseen) {
		return errors.New("a value contains a line end or another character that is not seen")
	}
	if text == "" {
		return nil
	}
	more, err := csv.NewReader(strings.NewReader(text)).Read()
	*n.all = append(*n.all, more...)
	return err
}

// String is the default, of which there is none.
func (names) String() string { return "" }

// Type is how the help calls the values.
func (names) Type() string { return "strings" }
