package templates

import (
	"bufio"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// entry is one line of a list, mssql/order.txt or oracle/order.txt: one batch. The first word is its kind. The name of what it makes follows, unless
// it is that of the file, and the file. A package is made of several files, on the next lines, indented; in the place of the file is its AUTHID.
type entry struct {
	kind, name string
	authid     string   // of a package's specification
	files      []string // paths in this package
}

// parts says whether an entry is made of several files.
func (e entry) parts() bool { return e.kind == "package" || e.kind == "body" }

// order reads the entries of one script of a dialect.
func order(files fs.FS, dialect, script string) ([]entry, error) {
	list, err := files.Open(dialect + "/order.txt")
	if err != nil {
		return nil, fmt.Errorf("read the list of templates: %w", err)
	}
	defer list.Close()
	var out []entry
	in := ""
	lines := bufio.NewScanner(list)
	for n := 1; lines.Scan(); n++ {
		words := strings.Fields(lines.Text())
		part := strings.HasPrefix(lines.Text(), " ")
		switch {
		case len(words) == 0 || words[0] == "#":
		case len(words) > 3 || part != (len(words) == 1) || part && (in == "" || in == script && len(out) == 0):
			return nil, fmt.Errorf("%s/order.txt, line %d: a line is a kind, a name if it is not the file's, and a file; the files of a package are indented below it", dialect, n)
		case words[0] == "script":
			in = words[1]
		case in != script:
		case part:
			e := &out[len(out)-1]
			e.files = append(e.files, dialect+"/"+words[0]+".sql")
		default:
			e := entry{kind: words[0], name: words[1]}
			switch {
			case e.parts():
				e.authid = strings.Join(words[2:], "")
			case len(words) == 2:
				e.name = path.Base(words[1])
				if dialect == "mssql" && (e.kind == "procedure" || e.kind == "view" || e.kind == "function") {
					e.name = pascal(e.name)
				}
				e.files = []string{dialect + "/" + words[1] + ".sql"}
			default:
				e.files = []string{dialect + "/" + words[2] + ".sql"}
			}
			out = append(out, e)
		}
	}
	return out, lines.Err()
}

// pascal returns NextTask for next_task.
func pascal(file string) string {
	var out strings.Builder
	for word := range strings.SplitSeq(file, "_") {
		out.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return out.String()
}

// text reads a template. That of a package is its files, with a blank line between two.
func (e entry) text(files fs.FS) (string, error) {
	var all []string
	for _, file := range e.files {
		text, err := fs.ReadFile(files, file)
		if err != nil {
			return "", fmt.Errorf("read template: %w", err)
		}
		all = append(all, string(text))
	}
	return strings.Join(all, "\n"), nil
}
