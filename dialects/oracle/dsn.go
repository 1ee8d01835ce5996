package oracle

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sijms/go-ora/v2/configurations"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/login"
	"github.com/dbsched/dbsched/dialects/oracle/tnsnames"
)

// target is a parsed DSN.
type target struct {
	url           string // as the driver expects it, with the password
	exposed       bool   // somebody between here and the server can read or change what is sent
	user          string // the owner of the schema, in upper case
	name          string
	needsPassword bool          // the login needs a password that the DSN does not contain
	timeout       time.Duration // of the login; 0: none
	servers       int           // how many addresses are tried, one after another
}

// String names server, service and user, and holds no secret.
func (t target) String() string { return t.name }

// programName is dbsched's V$SESSION.PROGRAM.
const programName = "dbsched"

// proxied is how a proxy names the user it connects for: proxy[user].
var proxied = regexp.MustCompile(`^[^\[\]]+\[([^\[\]]+)\]$`)

// parseDSN parses a DSN without ever quoting it: net/url's errors contain parts of a
// password with an unescaped character, and a password cut at '/', '?' or '#' appears as
// host, port or option. DSNs that look like that are refused.
func parseDSN(dsn string) (target, error) {
	u, err := url.Parse(dsn)
	if err != nil || u.Scheme != "oracle" || u.User.Username() == "" || u.Fragment != "" ||
		strings.Contains(u.Path, "@") || strings.Contains(u.RawQuery, "@") {
		return target{}, badDSN()
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return target{}, badDSN()
	}
	alias, err := resolve(u, query)
	if err != nil {
		return target{}, err
	}
	if u.Host == "" {
		return target{}, badDSN()
	}
	if p := u.Port(); p == "" {
		u.Host = net.JoinHostPort(u.Hostname(), "1521")
	} else if n, err := strconv.Atoi(p); err != nil || n < 0 || n > 65535 { // 0 if connStr has the port
		return target{}, badDSN()
	}
	if !login.Has(query, "program") {
		query.Set("PROGRAM", programName)
	}
	u.RawQuery = query.Encode()
	config, missing, err := configure(u, query)
	if err != nil {
		return target{}, dialects.Usagef("the DSN cannot be used: %s", login.Scrub(err, u))
	}
	u.RawQuery = query.Encode()
	t := target{exposed: exposed(config), url: u.String(), user: config.UserID, needsPassword: missing, timeout: login.DefaultTimeout, servers: len(config.Servers)}
	if login.Has(query, "connect timeout") || login.Has(query, "connection timeout") {
		t.timeout = config.ConnectTimeout
	}
	if m := proxied.FindStringSubmatch(t.user); m != nil {
		t.user = m[1]
	}
	if config.ProxyClientName != "" {
		t.user = config.ProxyClientName
	}
	t.user = strings.ToUpper(t.user)
	service := config.ServiceName
	if service == "" {
		service = config.SID
	}
	server := config.Servers[0]
	t.name = fmt.Sprintf("%s/%s", net.JoinHostPort(server.Addr, strconv.Itoa(server.Port)), service)
	if alias != "" {
		t.name = fmt.Sprintf("%s (%s)", alias, t.name)
	}
	t.name += " as " + t.user
	return t, nil
}

// resolve replaces a TNS name with its connect descriptor, which the driver accepts as connStr, and returns the name.
// oracle://user@NAME is a TNS name because nothing, such as a service, says what to connect to on a host.
func resolve(u *url.URL, query url.Values) (string, error) {
	name := take(query, "tns")
	switch {
	case name != "":
		if u.Host != "" || strings.Trim(u.Path, "/") != "" {
			return "", dialects.Usagef("the DSN has both a TNS name and a host or service. Write only the TNS name: oracle://user@/?tns=NAME")
		}
	case u.Host == "" || u.Port() != "" || strings.Trim(u.Path, "/") != "" || login.Has(query, "service name") || login.Has(query, "sid") || login.Has(query, "connstr"):
		return "", nil
	default:
		name = u.Hostname()
	}
	if strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || strings.ContainsRune("()=,#'\"", r) }) {
		return "", badDSN()
	}
	descriptor, err := tnsnames.Find(name, os.Getenv)
	if err != nil {
		return "", dialects.Usagef("%v", err)
	}
	u.Host, u.Path = ":0", "/" // the driver requires a port, and takes everything else from connStr
	query.Set("connStr", descriptor)
	return name, nil
}

// configure lets the driver parse the DSN, and completes the result; missing means that there is no password. A wallet may hold it, or only
// certificates, so this is no error here, although it is one for the driver.
func configure(u *url.URL, query url.Values) (config *configurations.ConnectionConfig, missing bool, err error) {
	_, has := u.User.Password()
	config, err = configurations.ParseConfig(u.String())
	if err != nil && !has && strings.Contains(err.Error(), "cannot find credentials for server") {
		with := *u
		with.User = url.UserPassword(u.User.Username(), "x")
		config, err = configurations.ParseConfig(with.String())
		missing = true
	}
	if err != nil {
		return nil, false, err
	}
	missing = missing || !has && config.Password == "" && !login.Has(query, "auth type")
	// A wallet's certificates are loaded only with SSL=true, not if only the descriptor says TCPS (connection.go, OpenWithContext).
	for _, s := range config.Servers {
		if strings.EqualFold(s.Protocol, "tcps") && !login.Has(query, "ssl") {
			query.Set("SSL", "true")
		}
	}
	return config, missing, nil
}

// exposed reports whether somebody between here and a server can read or change what is sent. Oracle's own encryption does not help: with it,
// a server does not prove who it is.
func exposed(config *configurations.ConnectionConfig) bool {
	return slices.ContainsFunc(config.Servers, func(s configurations.ServerAddr) bool {
		secure := strings.EqualFold(s.Protocol, "tcps") || s.Protocol == "" && config.SSL
		return !login.Local(s.Addr) && (!secure || !config.SSLVerify)
	})
}

// withPassword returns the target with a password that is not in its DSN.
func (t target) withPassword(password string) (target, error) {
	u, err := url.Parse(t.url)
	if err != nil {
		return target{}, badDSN()
	}
	u.User = url.UserPassword(u.User.Username(), password)
	t.url, t.needsPassword = u.String(), false
	return t, nil
}

// take removes an option and returns its value.
func take(q url.Values, key string) string {
	for k, v := range q {
		if strings.EqualFold(k, key) {
			delete(q, k)
			return v[0]
		}
	}
	return ""
}

func badDSN() error {
	return dialects.Usagef("the DSN cannot be parsed. Write " +
		"oracle://user:password@host[:port]/service, or oracle://user@NAME with a name from tnsnames.ora. Percent-encode special characters in user and " +
		"password (/ is %%2F, ? is %%3F, # is %%23, @ is %%40, : is %%3A, %% is %%25)")
}
