package mssql

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/microsoft/go-mssqldb/msdsn"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/login"
)

// target is a parsed DSN.
type target struct {
	config msdsn.Config
	name   string
	limit  time.Duration // of a login
}

// String names server, database and user, and holds no secret.
func (t target) String() string { return t.name }

// appName is what sys.dm_exec_sessions.program_name shows of us.
const appName = "dbsched"

// parseDSN parses a DSN without ever quoting it: net/url's errors contain parts of the
// password when it holds a character that should have been escaped, and a password cut
// by '/', '?' or '#' turns up as host, port or option. What looks like that is refused.
func parseDSN(dsn string) (target, error) {
	u, err := url.Parse(dsn)
	if err != nil || u.Scheme != "sqlserver" || u.Host == "" || u.Fragment != "" ||
		strings.Contains(u.Path, "@") || strings.Contains(u.RawQuery, "@") {
		return target{}, badDSN()
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return target{}, badDSN()
	}
	if p := u.Port(); p != "" {
		if n, err := strconv.Atoi(p); err != nil || n < 1 || n > 65535 {
			return target{}, badDSN()
		}
	}
	config, err := msdsn.Parse(dsn)
	if err != nil {
		return target{}, dialects.Usagef("an option of the DSN cannot be used: %s", scrub(err.Error(), secrets(u)))
	}
	// The driver takes the last of its own default; ours says who is connected.
	if !hasKey(query, "app name") && !hasKey(query, "application name") {
		config.AppName = appName
	}
	name := u.Host + u.Path
	if config.Database != "" {
		name += " database " + config.Database
	}
	if config.User != "" {
		name += " as " + config.User
	}
	t := target{config: config, name: name, limit: login.Limit}
	if hasKey(query, "dial timeout") && config.DialTimeout > 0 {
		t.limit = config.DialTimeout
	}
	return t, nil
}

func badDSN() error {
	return dialects.Usagef("the DSN cannot be parsed; it must read " +
		"sqlserver://user:password@host[:port][/instance]?database=name, with special characters of user and " +
		"password percent-encoded (/ is %%2F, ? is %%3F, # is %%23, @ is %%40, : is %%3A, %% is %%25)")
}

func hasKey(q url.Values, key string) bool {
	for k := range q {
		if strings.EqualFold(k, key) {
			return true
		}
	}
	return false
}

// secrets returns every spelling of the password that stands in the URL.
func secrets(u *url.URL) []string {
	var all []string
	if p, ok := u.User.Password(); ok && p != "" {
		all = append(all, p, url.QueryEscape(p), url.PathEscape(p))
	}
	for k, v := range u.Query() {
		if strings.Contains(strings.ToLower(k), "password") || strings.EqualFold(k, "pwd") {
			all = append(all, v...)
		}
	}
	return all
}

func scrub(text string, secrets []string) string {
	for _, s := range secrets {
		if s != "" {
			text = strings.ReplaceAll(text, s, "*****")
		}
	}
	return text
}
