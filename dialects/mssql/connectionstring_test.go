package mssql

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

func TestConnectionString(t *testing.T) {
	for text, dsn := range map[string]string{
		"Server=tcp:sql01.example.com,1433;Initial Catalog=Warehouse;Persist Security Info=False;User ID=etl;Password=s3/cr@t;MultipleActiveResultSets=False;Encrypt=True;TrustServerCertificate=False;Connection Timeout=30;": "sqlserver://etl:s3%2Fcr%40t@sql01.example.com:1433?TrustServerCertificate=false&connection+timeout=30&database=Warehouse&encrypt=true",
		"Data Source=SQL01\\PROD;Database=Warehouse;Integrated Security=SSPI;User ID=ignored": "sqlserver://SQL01/PROD?database=Warehouse",
		"server=.;trusted_connection=yes":                      "sqlserver://localhost",
		" Addr = (local)\\X , 1444 ; UID=sa;PWD='it''s; ok'; ": "sqlserver://sa:it%27s;%20ok@localhost:1444",
		`User Id=u;Password="a ""b"" c";Server=h;Application Intent=ReadOnly;Encrypt=Mandatory;App=mine;Database=d`: "sqlserver://u:a%20%22b%22%20c@h?ApplicationIntent=ReadOnly&app+name=mine&database=d&encrypt=true",
		"Server=h;Authentication=Active Directory Default;Encrypt=Strict;HostNameInCertificate=x.example":           "sqlserver://h?encrypt=Strict&fedauth=ActiveDirectoryDefault&hostNameInCertificate=x.example",
		"Server=a;Database=first;Server=b;Authentication=Sql Password;User=u;Password=":                             "sqlserver://u:@b?database=first",
	} {
		require.True(t, Dialect{}.ReadsConnectionString(text), text)
		got, err := fromConnectionString(text)
		require.NoError(t, err, text)
		require.Equal(t, dsn, got, text)
		_, err = parseDSN(text)
		require.NoError(t, err, text)
	}
	for _, text := range []string{
		"Server=np:h;Database=d", "Server=(localdb)\\x", "Server=;Database=d", "Server=h;Password=hush;hush=1", "Server=h;Color=hush",
	} {
		require.True(t, Dialect{}.ReadsConnectionString(text), text)
		_, err := parseDSN(text)
		require.ErrorAs(t, err, new(*dialects.UsageError), text)
		require.NotContains(t, err.Error(), "hush")
	}
	for _, text := range []string{
		"", ";", "Database=d;User Id=u", "sqlserver://sa:x@h?database=d;server=h", "oracle://u:server=h;@h/s", `Server="h`, `Server="h"x`, "=h", "Server==h", "h", "Server",
	} {
		require.False(t, Dialect{}.ReadsConnectionString(text), text)
	}
}
