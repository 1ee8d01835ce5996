package mssql

import (
	"errors"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/microsoft/go-mssqldb/integratedauth/krb5"

	"github.com/dbsched/dbsched/dialects"
)

const (
	authenticator = "authenticator" // option of the DSN
	byKerberos    = "krb5"
	ticketCache   = "krb5-credcachefile"
)

// integrate makes a DSN without a user an integrated login: on Windows with the current session, which is the driver's default
// (winsspi), elsewhere with the Kerberos ticket from kinit.
func (t *target) integrate() error {
	if t.entra != "" {
		return nil
	}
	p := t.config.Parameters
	if p[authenticator] == "" && t.config.User == "" && runtime.GOOS != "windows" {
		p[authenticator] = byKerberos
	}
	if p[authenticator] != byKerberos || p[ticketCache] != "" {
		return nil
	}
	// The driver uses KRB5CCNAME unchanged as a path, and has no default. https://web.mit.edu/kerberos/krb5-latest/doc/basic/ccache_def.html
	name := os.Getenv("KRB5CCNAME")
	kind, path, found := strings.Cut(name, ":")
	switch {
	case name == "" && runtime.GOOS != "windows":
		path = "/tmp/krb5cc_" + strconv.Itoa(os.Getuid())
	case !found || len(kind) == 1: // a drive's letter
		path = name
	case kind != "FILE":
		if t.config.User != "" { // a keytab or password
			return nil
		}
		own := "/tmp/krb5cc_" + strconv.Itoa(os.Getuid())
		return dialects.Usagef("KRB5CCNAME points to a ticket cache of kind %s, which only the Kerberos library can read. Get a ticket into a file: "+
			"kinit -c %s, and export KRB5CCNAME=%s", kind, own, own)
	}
	if _, err := os.Stat(path); err == nil || t.config.User == "" {
		p[ticketCache] = path
	}
	return nil
}

// kerberosHint says what to do about a Kerberos error. Most of them are only text.
func kerberosHint(err error) string {
	const (
		none    = "There is no Kerberos ticket. Run kinit USER@REALM, or use a user and password."
		expired = "The Kerberos ticket has expired. Run kinit USER@REALM."
	)
	if errors.Is(err, krb5.ErrRequiredParametersMissing) || errors.Is(err, krb5.ErrCredCacheFileDoesNotExist) {
		return none
	}
	text := err.Error()
	for _, h := range [][2]string{
		{"TGT not found in CCache", none},
		{"no valid existing session", expired},
		{"error getting any existing session", expired},
		{"KRB_AP_ERR_TKT_EXPIRED", expired},
		{"Unable to load krb5 config", "Kerberos is not configured on this machine. Create /etc/krb5.conf, or name the file in KRB5_CONFIG or with krb5-configfile= in the DSN."},
		{"krb5-configfile does not exist", "The Kerberos configuration file does not exist. Check krb5-configfile in the DSN."},
		{"krb5-keytabfile does not exist", "The keytab does not exist. Check krb5-keytabfile in the DSN, or KRB5_KTNAME."},
		{"KDC_ERR_S_PRINCIPAL_UNKNOWN", "Kerberos does not know this service. Connect with the server's full name, not an alias or address. Check that its SPN is registered (setspn -L ACCOUNT), or set ServerSPN= in the DSN."},
		{"KDC_ERR_C_PRINCIPAL_UNKNOWN", "Kerberos does not know this user. Check the user and krb5-realm in the DSN."},
		{"KDC_ERR_PREAUTH_FAILED", "Kerberos refused the password or keytab. A keytab becomes invalid when the password changes."},
		{"KDC_ERR_KEY_EXPIRED", "The password has expired. Change it with kpasswd."},
		{"KDC_ERR_CLIENT_REVOKED", "The account is locked or disabled. Ask a domain administrator to enable it."},
		{"KRB_AP_ERR_SKEW", "The clock of this machine differs too much from the domain's. Set the clock."},
		{"Networking_Error", "The Kerberos server cannot be reached. Check the realm's kdc in krb5.conf, and that its port 88 is open."},
	} {
		if strings.Contains(text, h[0]) {
			return h[1]
		}
	}
	return ""
}
