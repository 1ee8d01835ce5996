package mssql

import (
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	mssqldb "github.com/microsoft/go-mssqldb"
	"github.com/microsoft/go-mssqldb/azuread"
	"github.com/microsoft/go-mssqldb/msdsn"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/login"
)

// Everything about Microsoft Entra ID is in this file: the package azuread brings most of the program's modules.

// entraLogins are the values of fedauth that azuread knows.
var entraLogins = []string{
	azuread.ActiveDirectoryDefault, azuread.ActiveDirectoryIntegrated, azuread.ActiveDirectoryPassword, azuread.ActiveDirectoryInteractive,
	azuread.ActiveDirectoryMSI, azuread.ActiveDirectoryManagedIdentity, azuread.ActiveDirectoryApplication,
	azuread.ActiveDirectoryServicePrincipal, azuread.ActiveDirectoryServicePrincipalAccessToken, azuread.ActiveDirectoryDeviceCode,
	azuread.ActiveDirectoryAzCli, azuread.ActiveDirectoryAzureDeveloperCli, azuread.ActiveDirectoryAzurePipelines,
	azuread.ActiveDirectoryEnvironment, azuread.ActiveDirectoryWorkloadIdentity, azuread.ActiveDirectoryClientAssertion,
	azuread.ActiveDirectoryOnBehalfOf,
}

// entraLogin returns azuread's spelling of a fedauth. azuread matches it in any case, but then logs in with ActiveDirectoryDefault if it is
// not spelled its way (configuration.go, provideActiveDirectoryToken).
func entraLogin(fedauth string) (string, error) {
	if fedauth == "" {
		return "", nil
	}
	for _, known := range entraLogins {
		if strings.EqualFold(known, fedauth) {
			return known, nil
		}
	}
	return "", dialects.Usagef("the DSN's fedauth is unknown. Valid values: %s", strings.Join(entraLogins, ", "))
}

// entraTimeout is how long such a login may take: a person responds, or tools and services are tried in turn.
func entraTimeout(fedauth string) time.Duration {
	switch fedauth {
	case azuread.ActiveDirectoryInteractive, azuread.ActiveDirectoryDeviceCode:
		return 5 * time.Minute
	}
	return 30 * time.Second
}

// entraNeedsPassword reports whether such a login needs the DSN's password: a password, a client secret or a token.
func (t target) entraNeedsPassword() bool {
	switch t.entra {
	case azuread.ActiveDirectoryPassword, azuread.ActiveDirectoryServicePrincipalAccessToken:
		return true
	case azuread.ActiveDirectoryApplication, azuread.ActiveDirectoryServicePrincipal:
		return t.config.Parameters["clientcertpath"] == ""
	case azuread.ActiveDirectoryOnBehalfOf:
		return t.config.Parameters["clientcertpath"] == "" && t.config.Parameters["clientassertion"] == ""
	}
	return false
}

// entraConnector returns the connector of such a login.
func (t target) entraConnector() (*mssqldb.Connector, error) {
	c, err := azuread.NewConnector(t.entraURL())
	if err != nil {
		return nil, dialects.Usagef("an option of the DSN is invalid: %s", login.Scrub(err, t.url, t.config.Password))
	}
	return c, nil
}

// entraURL returns a DSN with all settings, because azuread accepts nothing else.
func (t target) entraURL() string {
	q := url.Values{}
	for k, v := range t.config.Parameters {
		switch k {
		case msdsn.Server, msdsn.Port, msdsn.ConnectionTimeout, msdsn.DialTimeout, "application name":
		default:
			q.Set(k, v)
		}
	}
	q.Set(msdsn.UserID, t.config.User)
	q.Set(msdsn.Password, t.config.Password)
	q.Set(msdsn.AppName, t.config.AppName)
	q.Set("fedauth", t.entra)
	// Anyone who gets a token can use it, so the server must prove who it is. ODBC and .NET do the same.
	if _, ok := t.config.Parameters[msdsn.Encrypt]; !ok {
		q.Set(msdsn.Encrypt, "true")
	}
	dial := t.config.DialTimeout
	if dial <= 0 {
		dial = time.Hour // a DSN cannot say "no limit"; dbsched's own timeout ends it
	}
	q.Set(msdsn.DialTimeout, strconv.Itoa(int(math.Ceil(dial.Seconds()))))
	return (&url.URL{Scheme: "sqlserver", Host: t.url.Host, Path: t.url.Path, RawQuery: q.Encode()}).String()
}

// entraHint says what to do about an error of such a login that the server did not raise.
func entraHint(err error) string {
	text := err.Error()
	for _, h := range [][2]string{
		{"AADSTS50126", "Entra ID refused the user or password. Check both. Accounts with multi-factor authentication need fedauth=ActiveDirectoryInteractive or ActiveDirectoryAzCli."},
		{"AADSTS50055", "The password has expired. Change it at https://myaccount.microsoft.com and try again."},
		{"AADSTS7000215", "Entra ID refused the application's secret. Use the value of a valid secret, not its name."},
		{"AADSTS7000222", "The application's secret has expired. Create a new one."},
		{"DefaultAzureCredential", "No Entra ID login was found on this machine. Run az login, or choose another method: fedauth=ActiveDirectoryManagedIdentity, ActiveDirectoryServicePrincipal and others."},
		{"AzureCLICredential", "The Azure CLI is not logged in. Run az login."},
		{"ManagedIdentityCredential", "This machine has no managed identity that can log in. Assign one, or use another method: fedauth=ActiveDirectoryAzCli."},
		{"AADSTS", "Entra ID refused the login. Look up the AADSTS number: https://login.microsoftonline.com/error"},
		{"federated authentication is not supported by the server", "The server does not accept Entra ID logins. Remove fedauth and use a user and password or an integrated login."},
	} {
		if strings.Contains(text, h[0]) {
			return h[1]
		}
	}
	return ""
}
