package cli

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/format"
)

// holdsDSN marks the flags whose value is a DSN.
const holdsDSN = "dbsched_dsn"

// TakesDSN says that a flag's value is a DSN: everywhere else one is a mistake.
func TakesDSN(cmd *cobra.Command, flag string) {
	must(cmd.Flags().SetAnnotation(flag, holdsDSN, nil))
}

// What gives a database away, also of other clients: a URL of an engine, a URL with a password, a list of NAME=VALUE with a password.
// What has neither, such as Oracle's user/password@host, may be a path, so it counts only as a schema.
var (
	urlOf         = regexp.MustCompile(`(?is)^\W*(?:jdbc:)?([a-z][a-z0-9+.-]*)://(.*:.*@)?`)
	pairsOf       = regexp.MustCompile(`(?is)^\W*(?:server|data source|address|host|user id|user|uid|database|initial catalog|driver|dsn)\s*=.*(?:^|[;\s])\W*(?:password|pwd)\s*=`)
	jdbcOf        = regexp.MustCompile(`(?is)^\W*jdbc:`)
	withoutScheme = regexp.MustCompile(`(?s)[:/].*@`)
	beforeAt      = regexp.MustCompile(`([^\s:/]*[:/])\S*@`)
	afterKey      = regexp.MustCompile(`(?i)((?:password|pwd|secret|token)["']?\s*=\s*)(?:"[^"]*"|'[^']*'|\{[^}]*\}|[^;&\s]+)`)
	errMisplaced  = dialects.Usagef("an argument tells how to connect to a database, perhaps with a password, so it is not shown. Did you forget --dsn? Or set DBSCHED_DSN")
)

// misplaced reports an argument that belongs to --dsn: it must not be shown, nor sent to a server as a name. It looks at arguments as they
// are, because an error while they are parsed would quote them.
func (a *App) misplaced(root *cobra.Command, args []string) error {
	flags := flagsWithDSN(root)
	for i, arg := range args {
		name, value := "", arg
		switch before, after, has := strings.Cut(arg, "="); {
		case strings.HasPrefix(arg, "--") && has:
			name, value = before[2:], after
		case strings.HasPrefix(arg, "-") && len(arg) > 2: // -oVALUE
			value = arg[2:]
		case i > 0 && strings.HasPrefix(args[i-1], "--"):
			name = args[i-1][2:]
		}
		if !slices.Contains(flags, name) && (a.tellsDatabase(value) || name == "schema" && withoutScheme.MatchString(value)) {
			return errMisplaced
		}
	}
	return nil
}

func (a *App) tellsDatabase(text string) bool {
	if m := urlOf.FindStringSubmatch(text); m != nil {
		known := slices.ContainsFunc(a.Dialects, func(d dialects.Dialect) bool { return slices.Contains(d.Schemes(), strings.ToLower(m[1])) })
		return known || m[2] != ""
	}
	return pairsOf.MatchString(text) || jdbcOf.MatchString(text)
}

// flagsWithDSN lists the names of such flags in a tree of commands.
func flagsWithDSN(cmd *cobra.Command) (names []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if _, is := f.Annotations[holdsDSN]; is {
			names = append(names, f.Name)
		}
	})
	for _, c := range cmd.Commands() {
		names = append(names, flagsWithDSN(c)...)
	}
	return names
}

// hush returns a text for people on stderr: without passwords, and without what controls a terminal.
func hush(text string) string {
	text = beforeAt.ReplaceAllString(text, "$1***@")
	return format.CleanLines(afterKey.ReplaceAllString(text, "$1***"))
}

// tell prints a line or more on stderr: errors, warnings, what was done.
func (a *App) tell(format string, args ...any) {
	fmt.Fprintln(a.Err, hush(fmt.Sprintf(format, args...)))
}

// WarnExposed warns if others on the network can read or change what is sent to the database.
func (s *Session) WarnExposed(dsns ...string) {
	d, t, err := s.Reach()
	if err != nil { // connecting will report it
		return
	}
	for _, dsn := range append([]string{t.DSN}, dsns...) {
		if dsn == "" {
			continue
		}
		if why := d.Exposed(dsn); why != "" {
			s.Warn(why)
		}
	}
}

// hasPassword reports whether a DSN contains a password, or may.
func hasPassword(dsn string) bool {
	u, err := url.Parse(dsn)
	if err != nil {
		return true
	}
	p, _ := u.User.Password()
	for k := range u.Query() {
		if k = strings.ToLower(k); strings.Contains(k, "pass") || strings.Contains(k, "pwd") || strings.Contains(k, "token") {
			return true
		}
	}
	return p != ""
}
