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

	"github.com/dbsched/dbsched/templates"
)

var update = flag.Bool("update", false, "write the interface pages anew")

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
	examples   []string
}

// grammar is how a dialect's headers write parameters.
type grammar struct {
	item      *regexp.Regexp // begins a parameter or an error number, after the two hyphens
	parameter *regexp.Regexp // name, type, default, " OUT", meaning
}

var (
	tsql  = grammar{regexp.MustCompile(`^   (@|\d)`), regexp.MustCompile(`^(@\w+) (\S+(?: READONLY)?)( \(required\)| = [^:]*?)?( OUTPUT)?: (.*)$`)}
	plsql = grammar{regexp.MustCompile(`^   (in_|out_|\d)`), regexp.MustCompile(`^(\w+) ([a-z][a-z0-9_ ]*?)( \(required\)| = [^:]*?)?( OUT)?: (.*)$`)}
)

// mssqlObjects reads the headers of the templates for SQL Server: one file per object.
func mssqlObjects(t *testing.T) []object {
	t.Helper()
	files, err := filepath.Glob("../templates/mssql/*/*.sql")
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
		all = append(all, parseHeader(t, tsql, title[1], title[2], header))
	}
	return sorted(t, all)
}

// oracleObjects reads the headers of the public package's subprograms and of the views. Subprograms with the same name
// become one: the first, with what the later ones add.
func oracleObjects(t *testing.T) []object {
	t.Helper()
	batches, err := templates.Oracle(templates.Params{Schema: "APP", Lanes: 1, Version: "docs", Runner: "TASKS"})
	require.NoError(t, err)
	header := regexp.MustCompile(`(?m)^ *-- (Procedure|Function|View): (\w+)\n(?: *--.*\n)+`)
	var all []object
	for _, b := range batches {
		if !strings.Contains(b.SQL, "-- Access: public") {
			continue
		}
		for _, m := range header.FindAllStringSubmatch(b.SQL, -1) {
			text := regexp.MustCompile(`(?m)^ +`).ReplaceAllString(strings.TrimSuffix(m[0], "\n"), "")
			o := parseHeader(t, plsql, m[1], strings.ToLower(m[2]), text)
			raises := func(number string) bool {
				return slices.ContainsFunc(o.errors, func(e [2]string) bool { return e[0] == number })
			}
			switch {
			case o.kind == "View":
				o.roles = strings.TrimPrefix(o.roles, "read; ")
				if o.roles == "read" {
					o.roles = "everybody"
				}
			case raises("20048"):
				o.roles = "the owner"
			case raises("20061"):
				o.roles = "administrators"
			case raises("20006"), raises("20025"), raises("20045"), raises("20053"):
				o.roles = "everybody for their own, administrators"
			default:
				o.roles = "everybody"
			}
			if last := len(all) - 1; last >= 0 && all[last].name == o.name {
				all[last] = merge(all[last], o)
				continue
			}
			all = append(all, o)
		}
	}
	return sorted(t, all)
}

func sorted(t *testing.T, all []object) []object {
	t.Helper()
	slices.SortFunc(all, func(a, b object) int { return strings.Compare(a.kind+a.name, b.kind+b.name) })
	require.NotEmpty(t, all)
	return all
}

// merge adds what a second subprogram with the same name has beyond the first.
func merge(first, second object) object {
	first.purpose += "\n\nThere are two of this name. The second: " + strings.ToLower(second.purpose[:1]) + second.purpose[1:]
	for _, p := range second.parameters {
		if !slices.ContainsFunc(first.parameters, func(q [4]string) bool { return q[0] == p[0] }) {
			p[3] += " (the second's only)"
			first.parameters = append(first.parameters, p)
		}
	}
	first.examples = append(first.examples, second.examples...)
	return first
}

// parseHeader splits a header into its parts: "Part: text", then items two spaces in; a line that begins neither a part nor
// an item continues the previous one.
func parseHeader(t *testing.T, g grammar, kind, name, header string) object {
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
		case g.item.MatchString(text):
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
		examples: []string{get("Example").text}, errorsNote: get("Errors").note,
		roles: strings.TrimPrefix(get("Access").text, "public: "),
	}
	for _, item := range get("Parameters").items {
		m := g.parameter.FindStringSubmatch(item)
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

// sentence returns text with a capital and a period. A name in lower case stays that way.
func sentence(text string) string {
	text = strings.TrimSuffix(text, ".") + "."
	if word, _, _ := strings.Cut(text, " "); strings.Contains(word, "_") {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// code marks the names among the words of a text.
func code(text string) string {
	return regexp.MustCompile(`@\w+|\bdbsched_\w+|\b(?:in|out)_[a-z_]+`).ReplaceAllString(text, "`$0`")
}

func cell(text string) string { return strings.ReplaceAll(code(text), "|", `\|`) }

// wrap breaks a paragraph into lines of at most 140 characters.
func wrap(text string) string {
	var b strings.Builder
	width := 0
	for word := range strings.FieldsSeq(text) {
		switch {
		case width > 0 && width+1+len(word) > 140:
			b.WriteByte('\n')
			width = 0
		case width > 0:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(word)
		width += len(word)
	}
	return b.String()
}

// page is one interface page.
type page struct {
	file, dialect, head string
	objects             func(*testing.T) []object
	fence               string
	example             func(o object, text string) string
	number              string // what precedes an error's number
}

var interfacePages = []page{
	{
		file: "interface.md", dialect: "mssql", objects: mssqlObjects, fence: "sql",
		example: func(_ object, text string) string { return strings.Join(statements(text), "\n") },
		head: `# The T-SQL interface

All procedures, functions and views that the roles can use. The schema is ` + "`dbsched`" + ` here; if yours has another name, so have the roles.
Times are UTC. See also [roles](privileges.md), [errors](errors.md) and [the PL/SQL interface](interface-oracle.md).
`,
	},
	{
		file: "interface-oracle.md", dialect: "oracle", objects: oracleObjects, fence: "plsql",
		example: oracleExample, number: "ORA-",
		head: `# The PL/SQL interface

The package ` + "`dbsched`" + ` and the views. Times are ` + "`TIMESTAMP WITH TIME ZONE`" + ` in UTC. See also [errors](errors.md) and
[the T-SQL interface](interface.md).

The last column names the users. The owner of the schema is an administrator. With a [runner](privileges.md#a-runner), "everybody" includes
users with a grant, who write ` + "`app.dbsched.exec_async` and `app.ds_task_info`" + `. Without a runner only the owner has rights, and
[should share none](privileges.md#who-may-submit-tasks).

` + "`exec_async`, `exec_async_batch`, `create_process`, `release_process` and `close_process`" + ` join your transaction and never commit or roll
back. All others are separate transactions.
`,
	},
}

// statements returns those of an example, each of which ends with a semicolon.
func statements(text string) []string {
	lines := regexp.MustCompile(`(?:'[^']*'|[^';])+;`).FindAllString(text, -1)
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return lines
}

// oracleExample turns a call into a block, which declares its variables, and a query into a statement.
func oracleExample(o object, text string) string {
	if o.kind == "View" || strings.HasPrefix(text, "select ") {
		return text + ";"
	}
	var declare strings.Builder
	for _, name := range slices.Compact(slices.Sorted(slices.Values(regexp.MustCompile(`\bl_\w+`).FindAllString(text, -1)))) {
		kind := "number"
		for _, p := range o.parameters {
			switch of := strings.TrimPrefix(name, "l_"); {
			case p[0] != "out_"+of && p[0] != "in_"+of:
			case p[1] == "varchar2":
				kind = "varchar2(100)"
			case strings.HasPrefix(p[1], "t_"):
				kind = "dbsched." + p[1]
			default:
				kind = p[1]
			}
		}
		fmt.Fprintf(&declare, "    %s %s;\n", name, kind)
	}
	lines := statements(text)
	if strings.Contains(text, " loop ") {
		lines = []string{text}
	}
	block := "begin\n    " + strings.Join(lines, "\n    ") + "\nend;\n/"
	if declare.Len() > 0 {
		return "declare\n" + declare.String() + block
	}
	return block
}

// render writes the page.
func (p page) render(t *testing.T) string {
	t.Helper()
	objects := p.objects(t)
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("<!-- Made from the headers in templates/%s by: go test ./docs -run TestInterface -update -->", p.dialect)
	line("%s", p.head)
	for _, kind := range []string{"Procedure", "Function", "View"} {
		if !slices.ContainsFunc(objects, func(o object) bool { return o.kind == kind }) {
			continue
		}
		line("## %ss\n", kind)
		line("| Name | Does | For |\n|---|---|---|")
		for _, o := range objects {
			if o.kind == kind {
				first := strings.TrimSuffix(regexp.MustCompile(`\.\s`).Split(o.purpose, 2)[0], ".")
				line("| [%s](#%s) | %s | %s |", o.name, strings.ToLower(o.name), cell(sentence(first)), cell(o.roles))
			}
		}
		line("")
		for _, o := range objects {
			if o.kind == kind {
				p.renderObject(line, o)
			}
		}
	}
	if p.dialect == "oracle" {
		p.renderExceptions(t, line, objects)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// renderExceptions lists the exceptions declared by the package: one for each number in a subprogram's header.
func (p page) renderExceptions(t *testing.T, line func(string, ...any), objects []object) {
	t.Helper()
	text := read(t, "templates/oracle/interface/dbsched.spec.sql")
	line("## Exceptions\n\nDeclared in the package, for handlers: `when dbsched.e_no_such_process then`.\n")
	line("| Name | Number | When |\n|---|---|---|")
	declared := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^    (e_\w+) exception; pragma exception_init\((e_\w+), -(20\d{3})\); -- (.*)$`).FindAllStringSubmatch(text, -1) {
		require.Equal(t, m[1], m[2])
		require.False(t, declared[m[3]], m[3])
		declared[m[3]] = true
		line("| `%s` | ORA-%s | %s |", m[1], m[3], cell(sentence(m[4])))
	}
	for _, o := range objects {
		for _, e := range o.errors {
			require.True(t, declared[e[0]], "%s raises %s, which has no exception", o.name, e[0])
		}
	}
}

func (p page) renderObject(line func(string, ...any), o object) {
	line("### %s\n", o.name)
	line("%s\n", wrap(code(sentence(o.purpose))))
	if o.kind == "View" {
		line("%s\n", wrap("**Columns:** "+code(strings.TrimSuffix(o.columns, "."))+"."))
	}
	if len(o.parameters) > 0 {
		line("| Parameter | Type | Default | Meaning |\n|---|---|---|---|")
		for _, a := range o.parameters {
			line("| `%s` | %s | %s | %s |", a[0], a[1], a[2], cell(sentence(a[3])))
		}
		line("")
	}
	if o.returns != "" {
		line("%s\n", wrap("**Returns:** "+code(sentence(o.returns))))
	}
	if len(o.errors) > 0 {
		note := ""
		if o.errorsNote != "" {
			note = " (" + o.errorsNote + ")"
		}
		line("**Errors**%s:\n\n| Number | When |\n|---|---|", note)
		for _, e := range o.errors {
			line("| %s%s | %s |", p.number, e[0], cell(sentence(e[1])))
		}
		line("")
	}
	for _, text := range o.examples {
		if strings.HasPrefix(text, "none;") { // called only by dbsched
			continue
		}
		line("```%s\n%s\n```\n", p.fence, p.example(o, text))
	}
}

// TestInterfaceIsCurrent fails when a header has changed and its page has not.
func TestInterfaceIsCurrent(t *testing.T) {
	for _, p := range interfacePages {
		want := p.render(t)
		if *update {
			require.NoError(t, os.WriteFile(p.file, []byte(want), 0o644))
		}
		require.Equal(t, want, read(t, "docs/"+p.file), "go test ./docs -run TestInterface -update")
	}
}
