package mssql

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

func good() facts {
	return facts{
		Edition: 3, Version: "16.0.1000.6", DatabaseID: 5, Database: "we[ird]-n'ame", Compatibility: 160,
		Broker: true, Updateability: "READ_WRITE", User: "app", Login: "app", Owner: true,
	}
}

func TestFindings(t *testing.T) {
	require.Empty(t, good().findings())
	for name, c := range map[string]struct {
		change func(*facts)
		text   string
		remedy string
	}{
		"azure":        {func(f *facts) { f.Edition = 5 }, "no Service Broker", ""},
		"synapse":      {func(f *facts) { f.Edition = 11 }, "not known to have Service Broker", ""},
		"2016 rtm":     {func(f *facts) { f.Version = "13.0.1601.5" }, "13.0.1601.5", ""},
		"2014":         {func(f *facts) { f.Version = "12.0.6024.0" }, "12.0.6024.0", ""},
		"old level":    {func(f *facts) { f.Compatibility = 120 }, "120", "ALTER DATABASE [we[ird]]-n'ame] SET COMPATIBILITY_LEVEL = 130;"},
		"msdb":         {func(f *facts) { f.DatabaseID, f.Database = 4, "msdb" }, "msdb is a system database", ""},
		"distribution": {func(f *facts) { f.Distributor = true }, "system database", ""},
		"read only":    {func(f *facts) { f.Updateability = "READ_ONLY" }, "read-only", "ALTER DATABASE [we[ird]]-n'ame] SET READ_WRITE;"},
		"auto close":   {func(f *facts) { f.AutoClose = true }, "AUTO_CLOSE is ON", "ALTER DATABASE [we[ird]]-n'ame] SET AUTO_CLOSE OFF;"},
		"rights":       {func(f *facts) { f.Owner = false }, "must be a member of db_owner", "ALTER ROLE db_owner ADD MEMBER [app];"},
		"group login": {func(f *facts) { f.Owner, f.User, f.Login = false, `D\o'x`, `D\o'x` }, "must be a member of db_owner",
			"IF DATABASE_PRINCIPAL_ID(N'D\\o''x') IS NULL CREATE USER [D\\o'x] FOR LOGIN [D\\o'x];\nALTER ROLE db_owner ADD MEMBER [D\\o'x];"},
	} {
		t.Run(name, func(t *testing.T) {
			f := good()
			c.change(&f)
			all := f.findings()
			require.Len(t, all, 1)
			require.Contains(t, all[0].Text, c.text)
			require.Equal(t, c.remedy, all[0].Remedy)
		})
	}
}

func TestManagedInstanceSaysTwelve(t *testing.T) {
	f := good()
	f.Edition, f.Version = managedInstance, "12.0.2000.8"
	require.Empty(t, f.findings())
}

func TestAllFindingsAtOnce(t *testing.T) {
	f := good()
	f.Version, f.Compatibility, f.Updateability, f.Owner = "11.0.1", 110, "READ_ONLY", false
	require.Len(t, f.findings(), 4)
	require.Contains(t, (&dialects.PreflightError{Target: "h", Findings: f.findings()}).Error(), "ALTER ROLE db_owner ADD MEMBER [app];")
}
