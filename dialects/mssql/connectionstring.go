package mssql

import (
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/dialects"
)

// keyword says what a keyword of an ADO.NET connection string becomes in a DSN; empty: nothing, because it concerns a pool of
// connections or how a program reads results.
// https://learn.microsoft.com/en-us/dotnet/api/microsoft.data.sqlclient.sqlconnection.connectionstring
var keywords = map[string]string{
	"data source": "server", "server": "server", "addr": "server", "address": "server", "network address": "server",
	"initial catalog": "database", "database": "database",
	"user id": "user", "uid": "user", "user": "user", "password": "password", "pwd": "password",
	"integrated security": "integrated", "trusted_connection": "integrated",
	"encrypt": "encrypt", "trust server certificate": "TrustServerCertificate", "trustservercertificate": "TrustServerCertificate",
	"host name in certificate": "hostNameInCertificate", "hostnameincertificate": "hostNameInCertificate", "server certificate": "certificate", "servercertificate": "certificate",
	"connect timeout": "connection timeout", "connection timeout": "connection timeout", "timeout": "connection timeout",
	"application name": "app name", "app": "app name", "workstation id": "workstation id", "wsid": "workstation id", "packet size": "packet size",
	"application intent": "ApplicationIntent", "applicationintent": "ApplicationIntent",
	"multi subnet failover": "multisubnetfailover", "multisubnetfailover": "multisubnetfailover",
	"failover partner": "failoverpartner", "server spn": "ServerSPN", "serverspn": "ServerSPN", "authentication": "fedauth",

	"multiple active result sets": "", "multipleactiveresultsets": "", "persist security info": "", "persistsecurityinfo": "", "pooling": "",
	"min pool size": "", "max pool size": "", "pool blocking period": "", "poolblockingperiod": "", "load balance timeout": "", "connection lifetime": "",
	"connect retry count": "", "connectretrycount": "", "connect retry interval": "", "connectretryinterval": "", "command timeout": "",
	"column encryption setting": "", "type system version": "", "enlist": "", "replication": "", "asynchronous processing": "", "async": "",
	"current language": "", "language": "", "transaction binding": "", "ip address preference": "", "ipaddresspreference": "",
}

// ReadsConnectionString reports whether the text is a connection string of ADO.NET, such as Server=h;Database=d;User Id=u.
func (Dialect) ReadsConnectionString(text string) bool {
	pairs, err := connectionPairs(text)
	return err == nil && len(pairs) > 0 && !strings.Contains(pairs[0][0], "://") && slices.ContainsFunc(pairs, func(p [2]string) bool { return keywords[p[0]] == "server" })
}

// fromConnectionString returns the DSN that means the same. Its errors contain no part of it, because an unquoted password with a
// semicolon looks like keywords.
func fromConnectionString(text string) (string, error) {
	pairs, err := connectionPairs(text)
	if err != nil {
		return "", err
	}
	given := map[string]string{}
	for i, p := range pairs {
		name, known := keywords[p[0]]
		if !known {
			return "", dialects.Usagef("keyword %d of the connection string is not known. Put a value with a semicolon in quotation marks, or write the DSN as a URL", i+1)
		}
		given[name] = p[1] // as in ADO.NET, the last one counts
	}
	host, err := address(given["server"])
	if err != nil {
		return "", err
	}
	u := url.URL{Scheme: "sqlserver", Host: host}
	if host, instance, ok := strings.Cut(host, `\`); ok {
		u.Host, u.Path = host, "/"+instance
	}
	if integrated := truth(given["integrated"]); integrated == "true" || strings.EqualFold(integrated, "sspi") {
		delete(given, "user")
		delete(given, "password")
	}
	if password, ok := given["password"]; ok {
		u.User = url.UserPassword(given["user"], password)
	} else if user := given["user"]; user != "" {
		u.User = url.User(user)
	}
	query := url.Values{}
	for name, value := range given {
		switch name {
		case "", "server", "user", "password", "integrated":
		case "fedauth":
			if value = strings.ReplaceAll(value, " ", ""); value != "" && !strings.EqualFold(value, "SqlPassword") {
				query.Set(name, value)
			}
		case "encrypt":
			query.Set(name, map[string]string{"mandatory": "true", "optional": "false"}[strings.ToLower(value)])
			if query.Get(name) == "" {
				query.Set(name, truth(value))
			}
		case "TrustServerCertificate", "multisubnetfailover":
			query.Set(name, truth(value))
		default:
			query.Set(name, value)
		}
	}
	u.RawQuery = query.Encode()
	return u.String(), nil
}

// truth returns true for yes, false for no, and any other value as it is.
func truth(value string) string {
	switch strings.ToLower(value) {
	case "yes", "true":
		return "true"
	case "no", "false":
		return "false"
	}
	return value
}

// address returns host:port or host\instance for tcp:host\instance,port.
func address(server string) (string, error) {
	server = strings.TrimSpace(server)
	if protocol, rest, ok := strings.Cut(server, ":"); ok && !strings.Contains(rest, ":") {
		if !strings.EqualFold(protocol, "tcp") {
			return "", dialects.Usagef("the connection string's server does not use TCP. Write it as tcp:host,port")
		}
		server = rest
	}
	server, port, _ := strings.Cut(server, ",")
	host, instance, _ := strings.Cut(strings.TrimSpace(server), `\`)
	switch strings.ToLower(host) {
	case ".", "(local)":
		host = "localhost"
	case "", "(localdb)":
		return "", dialects.Usagef("the connection string's server has no host that can be reached with TCP")
	}
	switch port = strings.TrimSpace(port); {
	case port != "": // the port decides, and the instance's name has no effect
		return net.JoinHostPort(host, port), nil
	case instance != "":
		return host + `\` + instance, nil
	}
	return host, nil
}

// connectionPairs splits keyword=value pairs at semicolons. A value may be in quotes, which are doubled inside; == in a keyword is =.
// Keywords come back in lower case.
func connectionPairs(text string) (pairs [][2]string, err error) {
	for rest := text; ; {
		rest = strings.TrimLeft(rest, "; \t\r\n")
		if rest == "" {
			return pairs, nil
		}
		at := strings.IndexByte(rest, '=')
		for at >= 0 && strings.HasPrefix(rest[at+1:], "=") {
			next := strings.IndexByte(rest[at+2:], '=')
			if next < 0 {
				return nil, badDSN()
			}
			at += 2 + next
		}
		if at <= 0 {
			return nil, badDSN()
		}
		key := strings.ToLower(strings.TrimSpace(strings.ReplaceAll(rest[:at], "==", "=")))
		rest = strings.TrimLeft(rest[at+1:], " \t\r\n")
		var value string
		if quote := rest[:min(1, len(rest))]; quote == `"` || quote == "'" {
			inside := strings.ReplaceAll(rest[1:], quote+quote, "\x00\x00")
			end := strings.Index(inside, quote)
			if end < 0 {
				return nil, badDSN()
			}
			value = strings.ReplaceAll(inside[:end], "\x00\x00", quote)
			if rest = strings.TrimLeft(rest[end+2:], " \t\r\n"); rest != "" && rest[0] != ';' {
				return nil, badDSN()
			}
		} else {
			value, rest, _ = strings.Cut(rest, ";")
			value = strings.TrimSpace(value)
		}
		pairs = append(pairs, [2]string{key, value})
	}
}
