package oracle

import (
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/sijms/go-ora/v2/configurations"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/login"
)

// target is a parsed DSN.
type target struct {
	url   string // as the driver takes it, with the password
	user  string // whose schema it is, in upper case
	name  string
	limit time.Duration // of a login
}

// String names server, service and user, and holds no secret.
func (t target) String() string { return t.name }

// programName is what V$SESSION.PROGRAM shows of us.
const programName = "dbsched"

// proxied is how a proxy names the user it connects for: proxy[user].
var proxied = regexp.MustCompile(`^[^\[\]]+\[([^\[\]]+)\]$`)

// parseDSN parses a DSN without ever quoting it: net/url's errors contain parts of the
// password when it holds a character that should have been escaped, and a password cut
// by '/', '?' or '#' turns up as host, port or option. What looks like that is refused.
func parseDSN(dsn string) (target, error) {
	u, err := url.Parse(dsn)
	if err != nil || u.Scheme != "oracle" || u.Host == "" || u.User.Username() == "" || u.Fragment != "" ||
		strings.Contains(u.Path, "@") || strings.Contains(u.RawQuery, "@") {
		return target{}, badDSN()
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return target{}, badDSN()
	}
	if p := u.Port(); p == "" {
		u.Host = net.JoinHostPort(u.Hostname(), "1521")
	} else if n, err := strconv.Atoi(p); err != nil || n < 0 || n > 65535 { // 0 stands where connStr says it
		return target{}, badDSN()
	}
	if !hasKey(query, "program") {
		query.Set("PROGRAM", programName)
	}
	u.RawQuery = query.Encode()
	config, err := configurations.ParseConfig(u.String())
	if err != nil {
		return target{}, dialects.Usagef("the DSN cannot be used: %s", scrub(err.Error(), secrets(u)))
	}
	t := target{url: u.String(), user: config.UserID, limit: login.Limit}
	if (hasKey(query, "connect timeout") || hasKey(query, "connection timeout")) && config.ConnectTimeout > 0 {
		t.limit = config.ConnectTimeout
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
	t.name = fmt.Sprintf("%s/%s as %s", net.JoinHostPort(server.Addr, strconv.Itoa(server.Port)), service, t.user)
	return t, nil
}

func badDSN() error {
	return dialects.Usagef("the DSN cannot be parsed; it must read " +
		"oracle://user:password@host[:port]/service, with special characters of user and " +
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

// secrets returns every spelling of the passwords that stand in the URL.
func secrets(u *url.URL) []string {
	var all []string
	if p, ok := u.User.Password(); ok {
		all = append(all, p, url.QueryEscape(p), url.PathEscape(p))
	}
	for k, v := range u.Query() {
		if k = strings.ToLower(k); strings.Contains(k, "pass") || strings.Contains(k, "hash") {
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
