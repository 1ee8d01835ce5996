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
	authenticator = "authenticator" // option of the DSN: who proves who we are
	byKerberos    = "krb5"
	ticketCache   = "krb5-credcachefile"
)

// integrate makes a DSN without a user an integrated login: on Windows as the user of this session, by the driver's own default
// (winsspi), elsewhere by the Kerberos ticket that kinit got.
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
	// The driver takes KRB5CCNAME for a path as it stands, and knows no default. https://web.mit.edu/kerberos/krb5-latest/doc/basic/ccache_def.html
	name := os.Getenv("KRB5CCNAME")
	kind, path, found := strings.Cut(name, ":")
	switch {
	case name == "" && runtime.GOOS != "windows":
		path = "/tmp/krb5cc_" + strconv.Itoa(os.Getuid())
	case !found || len(kind) == 1: // a drive's letter
		path = name
	case kind != "FILE":
		if t.config.User != "" { // by a keytab or password
			return nil
		}
		own := "/tmp/krb5cc_" + strconv.Itoa(os.Getuid())
		return dialects.Usagef("KRB5CCNAME keeps the Kerberos tickets in a cache of kind %s, which only Kerberos's own library can read; get one into a file: "+
			"kinit -c %s, and export KRB5CCNAME=%s", kind, own, own)
	}
	if _, err := os.Stat(path); err == nil || t.config.User == "" {
		p[ticketCache] = path
	}
	return nil
}

// kerberosHint says what to do about an error of Kerberos, whose errors are mostly text.
func kerberosHint(err error) string {
	const (
		none    = "There is no Kerberos ticket. Get one: kinit USER@REALM; or log in with a user and password in the DSN."
		expired = "The Kerberos ticket has expired. Get another one: kinit USER@REALM."
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
		{"Unable to load krb5 config", "Kerberos is not configured on this machine. Write /etc/krb5.conf, or name the file: krb5-configfile= in the DSN, or KRB5_CONFIG."},
		{"krb5-configfile does not exist", "The configuration of Kerberos is not where the DSN says. Check krb5-configfile."},
		{"krb5-keytabfile does not exist", "The keytab is not where the DSN or KRB5_KTNAME says. Check krb5-keytabfile."},
		{"KDC_ERR_S_PRINCIPAL_UNKNOWN", "Kerberos knows no service of that name. Connect by the server's full name, not an alias or address; its SPN must be registered (setspn -L ACCOUNT), or name it: ServerSPN= in the DSN."},
		{"KDC_ERR_C_PRINCIPAL_UNKNOWN", "Kerberos knows no such user. Check user and krb5-realm of the DSN."},
		{"KDC_ERR_PREAUTH_FAILED", "Kerberos refused the password or the keytab. Check it; a keytab is out of date once the password was changed."},
		{"KDC_ERR_KEY_EXPIRED", "The password has expired. Change it: kpasswd."},
		{"KDC_ERR_CLIENT_REVOKED", "The account is locked or disabled. An administrator of the domain can let it in."},
		{"KRB_AP_ERR_SKEW", "The clock of this machine differs too much from that of the domain. Set it."},
		{"Networking_Error", "The domain's Kerberos server cannot be reached. Check the realm's kdc in krb5.conf, and that its port 88 can be reached."},
	} {
		if strings.Contains(text, h[0]) {
			return h[1]
		}
	}
	return ""
}
