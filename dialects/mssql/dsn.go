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
	entra       string        // the method that gets a token from Entra ID, as azuread spells it; empty for other logins
	hasPassword bool          // the DSN contains a password, possibly empty
	timeout     time.Duration // of the login; 0: none
}

// String names server, database and user, and holds no secret.
func (t target) String() string { return t.name }

// appName is dbsched's sys.dm_exec_sessions.program_name.
const appName = "dbsched"

// parseDSN parses a DSN without ever quoting it: net/url's errors contain parts of a
// password with an unescaped character, and a password cut at '/', '?' or '#' appears as
// host, port or option. DSNs that look like that are refused.
func parseDSN(dsn string) (target, error) {
	if (Dialect{}).ReadsConnectionString(dsn) {
		var err error
		if dsn, err = fromConnectionString(dsn); err != nil {
			return target{}, err
		}
	}
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
		return target{}, dialects.Usagef("an option of the DSN is invalid: %s", login.Scrub(err, u))
	}
	// Replace the driver's default name, so that monitoring shows dbsched.
	if !login.Has(query, "app name") && !login.Has(query, "application name") {
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

// InDatabase returns a DSN that differs in the database alone.
func (Dialect) InDatabase(dsn, database string) (string, error) {
	t, err := parseDSN(dsn)
	if err != nil {
		return "", err
	}
	u, q := *t.url, t.url.Query()
	for key := range q {
		if strings.EqualFold(key, "database") {
			delete(q, key)
		}
	}
	q.Set("database", database)
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// setTimeout sets how long the login may take. That is the meaning of "connection timeout" here, as in .NET and ODBC. The driver
// would limit the wait for each response instead, which would cut off longer statements, such as that of dbsched run --wait.
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
		t.config.DialTimeout = -1 // no limit in the driver
	}
	if t.config.FailOverPartner != "" && !ofDial {
		t.config.DialTimeout = t.timeout / 2 // leave time for the partner; 0 would be the driver's 15 s
	}
}

func badDSN() error {
	return dialects.Usagef("the DSN cannot be parsed. Write it as " +
		"sqlserver://user:password@host[:port][/instance]?database=name, with special characters of user and " +
		"password percent-encoded (/ is %%2F, ? is %%3F, # is %%23, @ is %%40, : is %%3A, %% is %%25)")
}

// exposed reports whether somebody between here and the server can read or change what is sent.
func (t target) exposed() bool {
	c := t.config
	if login.Local(t.url.Hostname()) && (c.FailOverPartner == "" || login.Local(c.FailOverPartner)) {
		return false
	}
	if _, given := c.Parameters[msdsn.Encrypt]; t.entra != "" && !given { // see entraURL
		return false
	}
	checked := c.TLSConfig != nil && (!c.TLSConfig.InsecureSkipVerify || c.TLSConfig.VerifyPeerCertificate != nil)
	return !checked || c.Encryption != msdsn.EncryptionRequired && c.Encryption != msdsn.EncryptionStrict
}
