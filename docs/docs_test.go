// Package docs tests the documentation against the program and the SQL that it describes: links, commands, flags, exit
// codes, error numbers, rights and dependencies. It holds no code.
package docs

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/templates"
)

// read returns a file, its path relative to the repository's root.
func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(path)))
	require.NoError(t, err)
	return string(text)
}

// pages lists the documentation, paths relative to the repository's root.
func pages(t *testing.T) []string {
	t.Helper()
	all := []string{"README.md", "CONTRIBUTING.md", "SECURITY.md"}
	found, err := filepath.Glob("*.md")
	require.NoError(t, err)
	for _, name := range found {
		all = append(all, "docs/"+name)
	}
	return all
}

// set returns the sorted distinct first groups of re in text.
func set(re, text string) []string {
	var all []string
	for _, m := range regexp.MustCompile(re).FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// anchors returns the fragments that a page's headings have on GitHub.
func anchors(text string) []string {
	var all []string
	for _, h := range regexp.MustCompile(`(?m)^#{1,6} (.*)$`).FindAllStringSubmatch(withoutFences(text), -1) {
		anchor := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(h[1]), "")
		all = append(all, strings.ReplaceAll(anchor, " ", "-"))
	}
	return all
}

func withoutFences(text string) string {
	return regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(text, "")
}

func TestLinksResolve(t *testing.T) {
	link := regexp.MustCompile(`\[[^\]]*\]\(([^)\s]+(?:\([^)]*\))?[^)\s]*)\)`)
	for _, page := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(withoutFences(read(t, page)), -1) {
			target, fragment, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") {
				require.True(t, strings.HasPrefix(target, "https://"), "%s links to %s", page, target)
				continue
			}
			path := page
			if target != "" {
				path = filepath.ToSlash(filepath.Join(filepath.Dir(page), target))
			}
			_, err := os.Stat(filepath.Join("..", path))
			require.NoError(t, err, "%s links to %s", page, m[1])
			if fragment != "" {
				require.Contains(t, anchors(read(t, path)), fragment, "%s links to %s", page, m[1])
			}
		}
		// [text][name], with [name]: below it.
		text := regexp.MustCompile("`[^`\n]*`").ReplaceAllString(withoutFences(read(t, page)), "code")
		require.Equal(t, set(`(?m)^\[([^\]]+)\]: https://\S+$`, text), set(`\]\[([^\]]+)\]`, text), "%s: links by name", page)
	}
}

// Readers find every page from README.
func TestReadmeLinksEveryPage(t *testing.T) {
	readme := read(t, "README.md")
	for _, page := range pages(t) {
		if strings.HasPrefix(page, "docs/") {
			require.Contains(t, readme, "]("+page+")")
		}
	}
}

// program returns what the built binary prints about itself: verb, then its flags.
func program(t *testing.T) map[string][]string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "dbsched.exe")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "../cmd/dbsched").CombinedOutput()
	require.NoError(t, err, "%s", out)
	help := func(args ...string) string {
		out, err := exec.CommandContext(t.Context(), binary, args...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	verbs := map[string][]string{}
	for _, verb := range set(`(?m)^  ([a-z]+) {2,}[A-Z]`, help("--help")) {
		text := help(verb, "--help")
		for _, action := range set(`(?m)^  ([a-z]+) {2,}[A-Z]`, text) { // subcommands count as the command's
			text += help(verb, action, "--help")
		}
		verbs[verb] = set(`(?m)^ +(?:-\w, )?--([a-z-]+)`, text)
	}
	require.Greater(t, len(verbs), 10)
	return verbs
}

// TestCommandsAreAsDocumented: what the pages tell people to type exists. TestReference checks that cli.md describes every command.
func TestCommandsAreAsDocumented(t *testing.T) {
	verbs := program(t)
	command := regexp.MustCompile(`^(?:bin/|go run \./cmd/)?dbsched +([a-z]+)\b([^#]*)`)
	for _, page := range pages(t) {
		for _, typed := range codes(read(t, page)) {
			m := command.FindStringSubmatch(typed)
			if m == nil || m[1] == "help" {
				continue
			}
			require.Contains(t, verbs, m[1], "%s: %s", page, typed)
			for _, flag := range set(`(?:^| )--([a-z-]+)`, m[2]) {
				require.Contains(t, verbs[m[1]], flag, "%s: %s", page, typed)
			}
		}
	}
}

// codes returns the lines of code on a page: fenced, indented, and in the text.
func codes(text string) []string {
	var all []string
	fenced := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
		case fenced, strings.HasPrefix(line, "    "):
			all = append(all, strings.TrimSpace(line))
		default:
			for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(line, -1) {
				all = append(all, m[1])
			}
		}
	}
	return all
}

func TestExitCodesAndOutputVersionAreAsDocumented(t *testing.T) {
	page := read(t, "docs/cli.md")
	var want []string
	for _, code := range []int{cli.ExitDone, cli.ExitNo, cli.ExitUsage, cli.ExitConnect, cli.ExitRefused, cli.ExitPartly, cli.ExitTimeout, cli.ExitInterrupted} {
		want = append(want, fmt.Sprint(code))
	}
	require.ElementsMatch(t, want, set(`(?m)^\| (\d+) \|`, page))
	require.Contains(t, page, fmt.Sprintf(`"version": %d`, cli.OutputVersion))
}

// sqlText returns all SQL of a dialect in one string: templates and migrations.
func sqlText(t *testing.T, dialect string) string {
	t.Helper()
	var text strings.Builder
	for _, dir := range []string{"templates/" + dialect, "migrations/" + dialect} {
		err := fs.WalkDir(os.DirFS("../"+dir), ".", func(path string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".sql") {
				text.WriteString(read(t, dir+"/"+path))
			}
			return err
		})
		require.NoError(t, err)
	}
	return text.String()
}

func TestErrorNumbersAreDocumented(t *testing.T) {
	page := read(t, "docs/errors.md")
	mssql, oracle := sqlText(t, "mssql"), sqlText(t, "oracle")
	numbers := slices.DeleteFunc(set(`\b(51\d{3})\b`, mssql), func(n string) bool { return n == "51000" }) // to which an error's state is added
	require.Equal(t, numbers, set(`(?m)^\| (51\d{3}) \|`, page))
	documented := set(`(?m)^\| (?:51\d{3}|–) \| (20\d{3}) \|`, page)
	require.Equal(t, set(`(20\d{3})\b`, oracle), documented)
	// The package's own table, which people see in the database; "20080-20086" includes those in between.
	table := read(t, "templates/oracle/interface/dbsched.spec.sql")
	for _, number := range set(`(?m)^    --   (20\d{3}): `, table) {
		require.Contains(t, documented, number)
	}

	require.Equal(t, set(`@Kind = '(\w\w+)'`, mssql), set("(?m)^\\| `([A-Z]\\w+)` \\| (?:both|SQL Server) \\|", page), "kinds of alarms")
	require.Equal(t, set(`\balarm\('(\w+)'`, oracle), set("(?m)^\\| `([A-Z]\\w+)` \\| (?:both|Oracle) \\|", page), "kinds of alarms")
}

func TestRightsAreAsDocumented(t *testing.T) {
	granted := map[string][]string{}
	for _, m := range regexp.MustCompile(`GRANT \w+ ON \{\{\.Schema\}\}\.(\w+) TO ([^;]*);`).FindAllStringSubmatch(sqlText(t, "mssql"), -1) {
		for _, role := range regexp.MustCompile(`\.(\w+)Role`).FindAllStringSubmatch(m[2], -1) {
			granted[m[1]] = append(granted[m[1]], strings.ToLower(role[1]))
		}
	}
	documented := map[string][]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| ((?:`\\w+`(?:, )?)+) \\| ([^|]*) \\| ([^|]*) \\| ([^|]*) \\|$").FindAllStringSubmatch(read(t, "docs/privileges.md"), -1) {
		for _, name := range set("`([^`]+)`", m[1]) {
			require.NotContains(t, documented, name)
			documented[name] = nil
			for i, role := range []string{"user", "reader", "admin"} {
				if strings.TrimSpace(m[2+i]) != "–" {
					documented[name] = append(documented[name], role)
				}
			}
		}
	}
	for name, roles := range granted {
		require.ElementsMatch(t, roles, documented[name], name)
	}
	require.Len(t, documented, len(granted))
}

func TestOracleGrantsAreAsDocumented(t *testing.T) {
	always := map[string]bool{} // by right: also needed after installing
	for _, m := range regexp.MustCompile("(?m)^\\| ((?:`[A-Z_ ]+`(?:, )?)+) \\| [^|]* \\| (always|installing)[^|]* \\|$").FindAllStringSubmatch(read(t, "docs/privileges.md"), -1) {
		for _, right := range set("`([^`]+)`", m[1]) {
			always[right] = m[2] == "always"
		}
	}
	needed := map[string]bool{}
	for _, g := range templates.OracleGrants() {
		needed[g.Privilege+g.Package] = !g.InstallOnly
	}
	require.Equal(t, needed, always)
}

// TestReadingIsShort: what reading.md tells people to read is 1,500 lines for each engine, and exists.
func TestReadingIsShort(t *testing.T) {
	lines := map[string]int{}
	for _, m := range regexp.MustCompile(`\(\.\./(templates/(\w+)/[^)]*\.sql)\)`).FindAllStringSubmatch(read(t, "docs/reading.md"), -1) {
		lines[m[2]] += strings.Count(read(t, m[1]), "\n")
	}
	require.Len(t, lines, 2)
	for engine, n := range lines {
		require.LessOrEqual(t, n, 1500, engine)
	}
}

// Pages that are not reference stay short: 11,293 words in all for users and 6,000 for those who change dbsched, without code. No line is longer
// than 200 characters, except in tables.
func TestPagesAreShort(t *testing.T) {
	reference := []string{"docs/cli.md", "docs/errors.md", "docs/interface.md", "docs/interface-oracle.md", "docs/live.md"}
	link := regexp.MustCompile(`(?m)^\[\w+\]: .*$`)
	contributors := regexp.MustCompile(`^docs/design`)
	words := map[bool]int{} // for contributors
	for _, page := range pages(t) {
		text := link.ReplaceAllString(read(t, page), "")
		for i, line := range strings.Split(text, "\n") {
			require.True(t, len(line) <= 200 || strings.HasPrefix(line, "|"), "%s has %d characters in line %d", page, len(line), i+1)
		}
		if slices.Contains(reference, page) || !strings.HasPrefix(page, "docs/") && page != "README.md" {
			continue
		}
		for word := range strings.FieldsSeq(withoutFences(text)) {
			if regexp.MustCompile(`[\p{L}\p{N}]`).MatchString(word) {
				words[contributors.MatchString(page)]++
			}
		}
	}
	require.LessOrEqual(t, words[false], 11_293)
	require.LessOrEqual(t, words[true], 6_000)
}

// TestClientPrograms: the programs in clients.md are those that the tests run.
func TestClientPrograms(t *testing.T) {
	shown := regexp.MustCompile(`(?s)\(\.\./(integration/clients/\w+/hello\.\w+)\)\)[^\n]*\n\n`+"```\\w+\n(.*?)```").FindAllStringSubmatch(read(t, "docs/clients.md"), -1)
	require.NotEmpty(t, shown)
	for _, m := range shown {
		require.Equal(t, read(t, m[1]), m[2], m[1])
	}
}
