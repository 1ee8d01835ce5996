// Package tnsnames resolves the names of tnsnames.ora, which the driver does not read: a name becomes the connect descriptor
// that the file defines for it, unchanged.
package tnsnames

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// FileName is the name of the file, wherever it is.
const FileName = "tnsnames.ora"

// Paths are the possible paths of the file: the first that exists counts. With TNS_ADMIN there is no other place (Net Services Reference,
// "Overview of Local Naming Parameters").
func Paths(getenv func(string) string) []string {
	if dir := getenv("TNS_ADMIN"); dir != "" {
		return []string{filepath.Join(dir, FileName)}
	}
	paths := []string{filepath.Join("/etc", FileName)}
	if home := getenv("ORACLE_HOME"); home != "" {
		paths = append(paths, filepath.Join(home, "network", "admin", FileName))
	}
	return paths
}

// Error is a name that cannot be resolved.
type Error struct{ Text string }

func (e *Error) Error() string { return e.Text }

func failf(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

// Find resolves a name.
func Find(name string, getenv func(string) string) (string, error) {
	paths := Paths(getenv)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return "", failf("the TNS name %s cannot be looked up: %v", name, err)
		}
		return Parse(string(text)).find(name, path)
	}
	if getenv("TNS_ADMIN") == "" {
		return "", failf("the TNS name %s cannot be looked up: there is no %s, and TNS_ADMIN is not set. Set it to the folder that contains %s",
			name, strings.Join(paths, " or "), FileName)
	}
	return "", failf("the TNS name %s cannot be looked up: there is no %s. Set TNS_ADMIN to the folder that contains it", name, paths[0])
}

// File is the parsed contents of a file.
type File struct {
	Entries  []Entry
	Included []string // files that IFILE names
}

// Entry is one definition.
type Entry struct {
	Names      []string
	Descriptor string // without comments and line ends; empty if it is not one
	Problem    string // why it is not one
	Line       int
}

// find returns the descriptor of a name. Names are not case-sensitive; of two definitions the later counts, as in SQL*Plus.
func (f File) find(name, path string) (string, error) {
	var known []string
	for _, e := range slices.Backward(f.Entries) {
		for _, n := range e.Names {
			if !strings.EqualFold(n, name) {
				known = append(known, n)
				continue
			}
			if e.Problem != "" {
				return "", failf("the TNS name %s cannot be used: %s, line %d: %s", name, path, e.Line, e.Problem)
			}
			return e.Descriptor, nil
		}
	}
	text := fmt.Sprintf("the TNS name %s is not in %s", name, path)
	if len(known) == 0 {
		text += ", which has none"
	} else {
		slices.Sort(known)
		text += "; there are: " + strings.Join(slices.Compact(known), ", ")
	}
	if len(f.Included) > 0 {
		text += fmt.Sprintf(". It includes %s by IFILE, which is not read here: copy the entry, or set TNS_ADMIN to that file's folder", strings.Join(f.Included, ", "))
	}
	return "", failf("%s", text)
}

// start matches the beginning of a definition: one name or several, and an equals sign.
var start = regexp.MustCompile(`^([A-Za-z0-9_.$#/@-]+(?:[ \t]*,[ \t]*[A-Za-z0-9_.$#/@-]+)*)[ \t]*=(.*)$`)

// Parse reads a file. A wrong definition does not affect others: text in the first column begins a new one ("must
// be in the far left column of a line", Net Services Reference, syntax rules), whatever is still open.
func Parse(text string) File {
	var f File
	var lines []string // of the last definition, without its names
	depth := 0
	end := func() {
		if n := len(f.Entries); n > 0 && lines != nil {
			f.Entries[n-1].Descriptor, f.Entries[n-1].Problem = descriptor(strings.TrimSpace(strings.Join(lines, "")))
		}
		lines, depth = nil, 0
	}
	for i, line := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
		line = strings.TrimRight(uncomment(line), " \t\r")
		first := line
		if depth <= 0 { // some files also indent the first line, which is accepted
			first = strings.TrimLeft(line, " \t")
		}
		if m := start.FindStringSubmatch(first); m != nil {
			end()
			line = m[2]
			if strings.EqualFold(m[1], "IFILE") {
				f.Included = append(f.Included, strings.Trim(strings.TrimSpace(line), `"'`))
				continue
			}
			e := Entry{Line: i + 1}
			for n := range strings.SplitSeq(m[1], ",") {
				e.Names = append(e.Names, strings.TrimSpace(n))
			}
			f.Entries = append(f.Entries, e)
			lines = []string{}
		}
		if lines != nil {
			lines = append(lines, line)
			for _, c := range unquoted(line) {
				depth += level(c)
			}
		}
	}
	end()
	return f
}

// descriptor returns the descriptor in a definition, or why it is not one.
func descriptor(text string) (string, string) {
	if !strings.HasPrefix(text, "(") {
		return "", "its value must be a connect descriptor in parentheses, (DESCRIPTION=...)"
	}
	depth := 0
	for i, c := range unquoted(text) {
		depth += level(c)
		if depth == 0 && i < len(text)-1 {
			return "", "it has text after its last parenthesis, or one ) too many"
		}
	}
	if depth > 0 {
		return "", fmt.Sprintf("%d ) missing at its end", depth)
	}
	return text, ""
}

func level(c byte) int {
	switch c {
	case '(':
		return 1
	case ')':
		return -1
	}
	return 0
}

// unquoted yields the characters of text with their positions, without values in quotes. An unclosed quote does not count.
func unquoted(text string) iter.Seq2[int, byte] {
	return func(yield func(int, byte) bool) {
		for i := 0; i < len(text); i++ {
			if c := text[i]; c == '"' || c == '\'' {
				if n := strings.IndexByte(text[i+1:], c); n >= 0 {
					i += n + 1
					continue
				}
			}
			if !yield(i, text[i]) {
				return
			}
		}
	}
}

// uncomment cuts a line at its comment.
func uncomment(line string) string {
	for i, c := range unquoted(line) {
		if c == '#' {
			return line[:i]
		}
	}
	return line
}
