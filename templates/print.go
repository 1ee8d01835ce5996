package templates

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Print writes the batches as one script that sqlcmd runs unchanged (with
// -b, so that it stops at the first error). sqlcmd connects with
// QUOTED_IDENTIFIER OFF by default, and modules keep the setting
// that they were created with, so the script sets it itself.
func Print(w io.Writer, batches []Batch) error {
	what, err := contents(batches)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	fmt.Fprint(out, what+"SET ANSI_NULLS, QUOTED_IDENTIFIER ON;\nGO\n")
	for _, b := range batches {
		if err := checkBody(b); err != nil {
			return err
		}
		fmt.Fprintf(out, "%s\nGO\n", strings.TrimRight(b.SQL, "\n"))
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write script: %w", err)
	}
	return nil
}

var (
	ofLane     = regexp.MustCompile(`^Lane_\d\d_`)
	subprogram = regexp.MustCompile(`(?m)^    (?:procedure|function) (\w+)`)
)

// topic is a part of the table of contents.
type topic struct {
	name, sentence string
	lines          int
	contains       []string
}

// add counts lines and names that stand in a script.
func (t *topic) add(lines int, names ...string) {
	t.lines += lines
	for _, name := range names {
		if !slices.Contains(t.contains, name) {
			t.contains = append(t.contains, name)
		}
	}
}

// topics returns all topics, in the order of topics.txt, without contents.
func topics() (all []*topic, of map[string]*topic) {
	of = map[string]*topic{}
	text, err := fs.ReadFile(embedded, "topics.txt")
	if err != nil {
		panic(err) // it is embedded
	}
	for line := range strings.Lines(string(text)) {
		name, sentence, _ := strings.Cut(strings.TrimSpace(line), ": ")
		of[name] = &topic{name: name, sentence: sentence}
		all = append(all, of[name])
	}
	return all, of
}

// contents returns the table of contents of an installation: what it is about, how many lines are about each topic, and what they make. Other
// scripts have none.
func contents(batches []Batch) (string, error) {
	all, of := topics()
	used := map[string]bool{}
	for _, b := range batches {
		for _, file := range b.Files {
			name := path.Base(path.Dir(file))
			used[name] = true
			t := of[name]
			switch b.Object.Type {
			case "package", "package body":
				text, err := fs.ReadFile(files, file)
				if err != nil {
					return "", fmt.Errorf("read template: %w", err)
				}
				t.add(strings.Count(string(text), "\n"))
				if b.Object.Type == "package" {
					continue // its names are those of the body
				}
				for _, m := range subprogram.FindAllStringSubmatch(string(text), -1) {
					t.add(0, m[1])
				}
			case "":
				t.add(strings.Count(b.SQL, "\n"))
			default:
				t.add(strings.Count(b.SQL, "\n"), ofLane.ReplaceAllString(b.Object.Name, "Lane_NN_"))
			}
		}
		if len(b.Files) == 0 {
			of["tables"].add(strings.Count(b.SQL, "\n"))
		}
	}
	if len(used) < 2 {
		return "", nil
	}
	var out strings.Builder
	out.WriteString("--\n-- Contents. Each object begins with a header: search for its name.\n")
	for _, t := range all {
		if t.lines == 0 {
			continue
		}
		line := fmt.Sprintf("--   %s (%d lines): %s", t.name, t.lines, t.sentence)
		for i, name := range t.contains {
			if i == 0 || len(line)+len(name) > 130 {
				out.WriteString(line + "\n")
				line = "--     "
			}
			line += " " + name
		}
		out.WriteString(line + "\n")
	}
	return out.String(), nil
}

var goLine = regexp.MustCompile(`(?i)^GO\b`)

// checkBody refuses what a script file cannot contain.
func checkBody(b Batch) error {
	ends := false
	for line := range strings.Lines(b.SQL) {
		ends = ends || goLine.MatchString(strings.TrimLeft(line, " \t\r\f\v"))
	}
	switch {
	case strings.Contains(b.SQL, "$("):
		return fmt.Errorf("batch %s holds $(, which sqlcmd would replace", b.Name)
	case ends:
		return fmt.Errorf("batch %s holds a line that begins with GO, which sqlcmd would take as the end of a batch", b.Name)
	case strings.TrimSpace(b.SQL) == "":
		return errors.New("batch " + b.Name + " is empty")
	}
	return nil
}
