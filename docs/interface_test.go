package docs

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write docs/interface.md anew")

// object is one public procedure or view, as its header describes it.
type object struct {
	kind, name string
	purpose    string
	roles      string
	parameters [][4]string // name, type, default, meaning
	returns    string
	errorsNote string
	errors     [][2]string
	columns    string
	example    string
}

// publicObjects reads the headers of the templates.
func publicObjects(t *testing.T) []object {
	t.Helper()
	files, err := filepath.Glob("../templates/mssql/*.sql")
	require.NoError(t, err)
	var all []object
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		header, _, _ := strings.Cut(string(text), "\nCREATE OR ALTER ")
		title := regexp.MustCompile(`^-- (Procedure|View): (\w+)\n`).FindStringSubmatch(header)
		if title == nil || !strings.Contains(header, "\n-- Access: public") {
			continue
		}
		all = append(all, parseHeader(t, title[1], title[2], header))
	}
	slices.SortFunc(all, func(a, b object) int { return strings.Compare(a.kind+a.name, b.kind+b.name) })
	require.NotEmpty(t, all)
	return all
}

// parseHeader splits a header into its parts: "Part: text", then items two spaces in; what neither begins a part nor an
// item goes on with the one before.
func parseHeader(t *testing.T, kind, name, header string) object {
	t.Helper()
	part := regexp.MustCompile(`^-- (Purpose|Access|Parameters|Returns|Errors|Columns|Example)( \([^)]*\))?:(?: (.*))?$`)
	type piece struct {
		note, text string
		items      []string
	}
	parts := map[string]*piece{}
	var now *piece
	for _, line := range strings.Split(header, "\n")[1:] {
		text := strings.TrimPrefix(line, "--")
		switch m := part.FindStringSubmatch(line); {
		case m != nil:
			now = &piece{note: strings.Trim(m[2], " ()"), text: m[3]}
			parts[m[1]] = now
		case now == nil:
			t.Fatalf("%s: %q belongs to nothing", name, line)
		case regexp.MustCompile(`^   (@|\d)`).MatchString(text):
			now.items = append(now.items, strings.TrimSpace(text))
		case len(now.items) > 0:
			now.items[len(now.items)-1] += " " + strings.TrimSpace(text)
		default:
			now.text += " " + strings.TrimSpace(text)
		}
	}
	get := func(name string) piece {
		if p := parts[name]; p != nil {
			return *p
		}
		return piece{}
	}
	o := object{
		kind: kind, name: name, purpose: get("Purpose").text, returns: get("Returns").text, columns: get("Columns").text,
		example: get("Example").text, errorsNote: get("Errors").note,
		roles: strings.TrimPrefix(get("Access").text, "public: "),
	}
	parameter := regexp.MustCompile(`^(@\w+) (\S+)( \(required\)| = [^:]*?)?( OUTPUT)?: (.*)$`)
	for _, item := range get("Parameters").items {
		m := parameter.FindStringSubmatch(item)
		require.NotNil(t, m, "%s: %s", name, item)
		value := strings.TrimPrefix(m[3], " = ")
		if value == " (required)" {
			value = "required"
		} else if value != "" {
			value = "`" + value + "`"
		}
		if m[4] != "" {
			value = strings.TrimSpace(value + " output")
		}
		o.parameters = append(o.parameters, [4]string{m[1], m[2], value, m[5]})
	}
	for _, item := range get("Errors").items {
		number, meaning, found := strings.Cut(item, ": ")
		require.True(t, found, "%s: %s", name, item)
		o.errors = append(o.errors, [2]string{number, meaning})
	}
	return o
}

// sentence is text with a capital and a full stop.
func sentence(text string) string {
	return strings.TrimSuffix(strings.ToUpper(text[:1])+text[1:], ".") + "."
}

// code marks the words of a text that are names.
func code(text string) string {
	return regexp.MustCompile(`@\w+|\bdbsched_\w+`).ReplaceAllString(text, "`$0`")
}

func cell(text string) string { return strings.ReplaceAll(code(text), "|", `\|`) }

// renderInterface writes the page.
func renderInterface(objects []object) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("<!-- Made from the headers in templates/mssql by: go test ./docs -run TestInterface -update -->")
	line("# The T-SQL interface\n")
	line("Everything that the roles may call or read, from the headers of the installed SQL. The schema is called `dbsched` here; yours may")
	line("have another name, and the roles are called after it. Times are UTC. Who is in which role: [privileges.md](privileges.md).")
	line("What to do about an error: [errors.md](errors.md).\n")
	for _, kind := range []string{"Procedure", "View"} {
		line("## %ss\n", kind)
		line("| Name | Does | For |\n|---|---|---|")
		for _, o := range objects {
			if o.kind == kind {
				first, _, _ := strings.Cut(o.purpose, ". ")
				line("| [%s](#%s) | %s | %s |", o.name, strings.ToLower(o.name), cell(sentence(first)), cell(o.roles))
			}
		}
		line("")
		for _, o := range objects {
			if o.kind == kind {
				renderObject(line, o)
			}
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func renderObject(line func(string, ...any), o object) {
	line("### %s\n", o.name)
	line("%s\n", code(sentence(o.purpose)))
	if o.kind == "View" {
		line("**Columns:** %s\n", code(sentence(o.columns)))
	}
	if len(o.parameters) > 0 {
		line("| Parameter | Type | Default | Meaning |\n|---|---|---|---|")
		for _, p := range o.parameters {
			line("| `%s` | %s | %s | %s |", p[0], p[1], p[2], cell(sentence(p[3])))
		}
		line("")
	}
	if o.returns != "" {
		line("**Returns:** %s\n", code(sentence(o.returns)))
	}
	if len(o.errors) > 0 {
		note := ""
		if o.errorsNote != "" {
			note = " (" + o.errorsNote + ")"
		}
		line("**Errors**%s:\n\n| Number | When |\n|---|---|", note)
		for _, e := range o.errors {
			line("| %s | %s |", e[0], cell(sentence(e[1])))
		}
		line("")
	}
	line("```sql\n%s\n```\n", o.example)
}

// TestInterfaceIsCurrent fails when a header has changed and the page has not.
func TestInterfaceIsCurrent(t *testing.T) {
	want := renderInterface(publicObjects(t))
	if *update {
		require.NoError(t, os.WriteFile("interface.md", []byte(want), 0o644))
	}
	require.Equal(t, want, read(t, "docs/interface.md"), "go test ./docs -run TestInterface -update")
}
