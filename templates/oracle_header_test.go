package templates

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// oracleSubprogram is a procedure or function in a package specification, with
// the header before it.
type oracleSubprogram struct {
	header, kind, name, signature string
}

var oracleSubprogramText = regexp.MustCompile(`(?m)((?:^    --[^\n]*\n)+)^    (procedure|function) (\w+)((?s:\s*\([^;]*?\))?)( return \w+(?: with time zone|%rowtype)?)?;`)

// oracleSubprograms returns those in a specification.
func oracleSubprograms(sql string) []oracleSubprogram {
	var out []oracleSubprogram
	for _, m := range oracleSubprogramText.FindAllStringSubmatch(sql, -1) {
		out = append(out, oracleSubprogram{header: m[1], kind: m[2], name: m[3], signature: m[4]})
	}
	return out
}

// oracleParameterText matches one parameter of a signature.
var oracleParameterText = regexp.MustCompile(`(\w+) (in out|in|out) ([a-z][\w.]*(?: with time zone)?)(?: default ([^,)]+))?`)

// The headers become the documentation.
func TestOracleHeadersAreComplete(t *testing.T) {
	install, _ := oracleBatches(t, oracleParams)
	seen := 0
	for _, b := range install {
		switch b.Object.Type {
		case "view":
			require.Contains(t, b.SQL, "-- View: "+b.Object.Name+"\n")
			for _, line := range []string{"Purpose", "Access", "Columns", "Example"} {
				require.Regexp(t, `(?m)^-- `+line+`: \S`, b.SQL, b.Name)
			}
			checkViewColumns(t, b)
		case "package":
			require.Contains(t, b.SQL, "    -- Package: "+b.Object.Name+"\n    -- Purpose: ")
			require.Regexp(t, `(?m)^    -- Access: (public|private)$`, b.SQL)
			subprograms := oracleSubprograms(b.SQL)
			require.Len(t, subprograms, len(regexp.MustCompile(`(?m)^    (procedure|function) `).FindAllString(b.SQL, -1)), b.Name)
			for _, s := range subprograms {
				seen++
				title := strings.ToUpper(s.kind[:1]) + s.kind[1:]
				require.Contains(t, s.header, "    -- "+title+": "+s.name+"\n")
				lines := []string{"Purpose: \\S"}
				if !strings.Contains(b.SQL, "    -- Access: private\n") { // what no user calls has no example, and no line about no parameters or errors
					lines = append(lines, "Parameters:", "Errors:", "Example: \\S")
				}
				for _, line := range lines {
					require.Regexp(t, `(?m)^    -- `+line, s.header, "%s.%s", b.Object.Name, s.name)
				}
				checkOracleParameters(t, b.Object.Name, s)
			}
		case "package body":
			require.NotEmpty(t, b.SQL)
		}
	}
	require.Greater(t, seen, 30)
}

// checkOracleParameters compares a header's parameters with the signature's.
func checkOracleParameters(t *testing.T, pkg string, s oracleSubprogram) {
	t.Helper()
	var want []string
	for _, m := range oracleParameterText.FindAllStringSubmatch(s.signature, -1) {
		switch {
		case strings.Contains(m[2], "out"):
			want = append(want, m[1]+" "+m[3]+" OUT")
		case m[4] != "":
			want = append(want, m[1]+" "+m[3]+" = "+m[4])
		default:
			want = append(want, m[1]+" "+m[3]+" (required)")
		}
	}
	var got []string
	for _, m := range regexp.MustCompile(`(?m)^    --   ((?:in|out|io)_\w+ [^:]+?): \S`).FindAllStringSubmatch(s.header, -1) {
		got = append(got, m[1])
	}
	require.Equal(t, want, got, "%s.%s", pkg, s.name)
}

// checkViewColumns compares a view's header with its select list.
func checkViewColumns(t *testing.T, b Batch) {
	t.Helper()
	header := strings.NewReplacer("\n--   ", " ").Replace(b.SQL)
	m := regexp.MustCompile(`(?m)^-- Columns: (.*)$`).FindStringSubmatch(header)
	require.NotNil(t, m)
	var documented []string
	for _, c := range strings.Split(regexp.MustCompile(` \([^)]*\)`).ReplaceAllString(m[1], ""), ",") {
		documented = append(documented, strings.TrimSpace(c))
	}
	_, rest, _ := strings.Cut(b.SQL, "\nselect ")
	list, _, _ := strings.Cut(rest, "\nfrom ")
	var columns []string
	for _, line := range strings.Split(list, ",\n") {
		fields := strings.Fields(line)
		name := fields[len(fields)-1]
		columns = append(columns, name[strings.LastIndex(name, ".")+1:])
	}
	require.Equal(t, documented, columns, b.Name)
}

// A body's subprograms have the parameters of the specification.
func TestOracleBodiesMatchTheirSpecifications(t *testing.T) {
	install, _ := oracleBatches(t, oracleParams)
	space := regexp.MustCompile(`\s+`)
	for _, spec := range install {
		if spec.Object.Type != "package" {
			continue
		}
		i := slices.IndexFunc(install, func(b Batch) bool { return b.Object.Type == "package body" && b.Object.Name == spec.Object.Name })
		require.GreaterOrEqual(t, i, 0, spec.Name)
		body := space.ReplaceAllString(oracleCode(install[i].SQL), " ")
		for _, s := range oracleSubprograms(spec.SQL) {
			require.Contains(t, body, s.kind+" "+s.name+space.ReplaceAllString(s.signature, " "), "%s.%s", spec.Object.Name, s.name)
		}
	}
}

// Every raised number is in the table of the public package, and in the header of the subprogram that raises it.
func TestOracleErrorsAreListed(t *testing.T) {
	install, uninstall := oracleBatches(t, oracleParams)
	i := slices.IndexFunc(install, func(b Batch) bool { return b.Name == "package dbsched" })
	table, _, _ := strings.Cut(install[i].SQL, "    type ")
	seen := 0
	for _, b := range slices.Concat(install, uninstall) {
		for _, m := range regexp.MustCompile(`(?:raise_application_error\(-|fail\(|dbsched )(20\d\d\d)`).FindAllStringSubmatch(oracleCode(b.SQL), -1) {
			seen++
			number := m[1]
			if number >= "20080" && number <= "20086" {
				number = "20080-20086"
			}
			if number == "20096" {
				continue // uninstalling: the package is gone
			}
			require.Contains(t, table, number, b.Name)
		}
	}
	require.Greater(t, seen, 40)

	// Public procedures that raise directly.
	i = slices.IndexFunc(install, func(b Batch) bool { return b.Name == "body dbsched" })
	body := install[i].SQL
	i = slices.IndexFunc(install, func(b Batch) bool { return b.Name == "package dbsched" })
	for _, s := range oracleSubprograms(install[i].SQL) {
		for _, p := range regexp.MustCompile(`(?ms)^    procedure `+s.name+`\b.*?^    end `+s.name+`;`).FindAllString(body, -1) {
			for _, m := range regexp.MustCompile(`fail\((20\d\d\d)`).FindAllStringSubmatch(p, -1) {
				require.Contains(t, s.header, "--   "+m[1]+": ", s.name)
			}
		}
	}
}

// Calls pass as many arguments as the procedure takes, in dynamic blocks as many binds.
func TestOracleCallsPassTheRightNumber(t *testing.T) {
	install, _ := oracleBatches(t, oracleParams)
	type count struct{ required, all int }
	takes := map[string]count{}
	for _, b := range install {
		if b.Object.Type != "package" || b.Object.Name == OraclePackage {
			continue
		}
		for _, s := range oracleSubprograms(b.SQL) {
			var c count
			for _, m := range oracleParameterText.FindAllStringSubmatch(s.signature, -1) {
				c.all++
				if m[4] == "" {
					c.required++
				}
			}
			takes[strings.ToLower(b.Object.Name)+"."+s.name] = c
		}
	}
	seen := 0
	for _, b := range install {
		code := oracleCode(b.SQL)
		for _, at := range regexp.MustCompile(`\b(ds_\w+\.[a-z]\w*)\b`).FindAllStringIndex(code, -1) {
			name := code[at[0]:at[1]]
			c, ok := takes[name]
			if !ok {
				require.NotRegexp(t, `^ds_(worker|run|wake|dispatch)\.`, name, b.Name)
				continue
			}
			seen++
			n := 0
			if strings.HasPrefix(code[at[1]:], "(") {
				n = len(arguments(code[at[1]+1:]))
			}
			require.True(t, n >= c.required && n <= c.all, "%s calls %s with %d arguments", b.Name, name, n)
		}
		// Dynamic blocks: as many binds as USING has arguments.
		for _, m := range regexp.MustCompile(`(?s)execute immediate 'begin ([^']*)'\s*using ([^;]*);`).FindAllStringSubmatch(code, -1) {
			seen++
			require.Len(t, arguments(m[2]+")"), len(regexp.MustCompile(`:\d+`).FindAllString(m[1], -1)), "%s: %s", b.Name, m[1])
		}
	}
	require.Greater(t, seen, 50)
}

// arguments splits an argument list that ends at its closing parenthesis.
func arguments(text string) []string {
	text = regexp.MustCompile(`'[^']*'`).ReplaceAllString(text, "''")
	depth, start := 0, 0
	var out []string
	for i, r := range text {
		switch r {
		case '(':
			depth++
		case ')':
			if depth == 0 {
				return append(out, strings.TrimSpace(text[start:i]))
			}
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(text[start:i]))
				start = i + 1
			}
		}
	}
	return out
}

// Every called package of SYS is among the grants.
func TestOracleGrantsCoverTheCalls(t *testing.T) {
	listed := map[string]bool{}
	for _, g := range OracleGrants() {
		if g.Package != "" {
			listed[strings.ToLower(g.Package)] = true
		}
		require.NotEmpty(t, g.Why)
		require.NotEqual(t, g.Package == "", g.Privilege == "")
	}
	used := map[string]bool{}
	for _, b := range allOracleBatches(t) {
		for _, m := range regexp.MustCompile(`\b(dbms_\w+)\.\w`).FindAllStringSubmatch(b.SQL, -1) { // texts to execute are literals
			used[m[1]] = true
			require.True(t, listed[m[1]], "%s calls %s", b.Name, m[1])
		}
	}
	require.Equal(t, len(used), len(listed))
}
