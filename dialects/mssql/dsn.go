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
	config      msdsn.Config
	name        string
	url         *url.URL
	entra       string        // what asks Entra ID for a token, as azuread spells it; empty for other logins
	hasPassword bool          // the DSN holds one, if only an empty one
	timeout     time.Duration // of the login; 0: none
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
		return target{}, unusable(err, u)
	}
	// The driver takes the last of its own default; ours says who is connected.
	if !hasKey(query, "app name") && !hasKey(query, "application name") {
		config.AppName = appName
	}
	t := target{config: config, url: u}
	if t.entra, err = entraLogin(config.Parameters["fedauth"]); err != nil {
		return target{}, err
	}
	_, t.hasPassword = config.Parameters[msdsn.Password]
	t.setTimeout()
	t.name = u.Host + u.Path
	if config.Database != "" {
		t.name += " database " + config.Database
	}
	if config.User != "" {
		t.name += " as " + config.User
	}
	return t, nil
}

// setTimeout decides how long the login may take. "connection timeout" means that here, as it does in .NET and ODBC. To the driver it
// is how long it waits for each answer, which would cut off every longer statement, such as the wait of dbsched run --wait.
func (t *target) setTimeout() {
	_, ofLogin := t.config.Parameters[msdsn.ConnectionTimeout]
	_, ofDial := t.config.Parameters[msdsn.DialTimeout]
	t.timeout = login.DefaultTimeout
	switch {
	case ofLogin:
		t.timeout = t.config.ConnTimeout
	case ofDial:
		t.timeout = t.config.DialTimeout
	case t.entra != "":
		t.timeout = entraTimeout(t.entra)
	}
	t.config.ConnTimeout = 0
	if !ofDial || t.config.DialTimeout == 0 {
		t.config.DialTimeout = -1 // none of its own
	}
	if t.config.FailOverPartner != "" && !ofDial {
		t.config.DialTimeout = t.timeout / 2 // the partner's turn comes after it; 0 is the driver's 15 s
	}
}

func badDSN() error {
	return dialects.Usagef("the DSN cannot be parsed; it must read " +
		"sqlserver://user:password@host[:port][/instance]?database=name, with special characters of user and " +
		"password percent-encoded (/ is %%2F, ? is %%3F, # is %%23, @ is %%40, : is %%3A, %% is %%25)")
}

// unusable is what a driver says of an option.
func unusable(err error, u *url.URL) error {
	return dialects.Usagef("an option of the DSN is invalid: %s", scrub(err.Error(), secrets(u)))
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
		if isSecret(k) {
			all = append(all, v...)
		}
	}
	return all
}

// isSecret tells the options whose value nobody should see.
func isSecret(key string) bool {
	key = strings.ToLower(key)
	for _, part := range []string{"password", "pwd", "token", "assertion"} {
		if strings.Contains(key, part) {
			return true
		}
	}
	return false
}

func scrub(text string, secrets []string) string {
	for _, s := range secrets {
		if s != "" {
			text = strings.ReplaceAll(text, s, "*****")
		}
	}
	return text
}
