package certify

// mssqlElsewhere are the assumptions that one connection cannot try.
func mssqlElsewhere() []Probe {
	return []Probe{
		{
			Name: "unknown-user", Capability: "recovery and failovers",
			Assumed:   "`EXECUTE AS USER` of a user that no domain controller knows is an error that `TRY` catches",
			Otherwise: "The worker fails instead, with an alarm, and the task is an orphan",
			Elsewhere: "TestMSSQLOutageOfOneUser",
		},
		{
			Name: "name-of-a-managed-instance", Capability: "recovery and failovers",
			Assumed:   "A Managed Instance keeps `SERVERPROPERTY('ServerName')` per instance",
			Otherwise: "Name what it is after a failover",
			Elsewhere: "TestMoveToANamedServer",
		},
		{
			Name: "group-of-managed-instances", Capability: "recovery and failovers",
			Assumed:   "`group_database_id` is the same on both sides of a failover group of Managed Instances, and of a distributed availability group",
			Otherwise: "After a failover, nothing runs until `dbsched start --moved`, unless `--also-on` has named the server",
			Elsewhere: "TestMSSQLFailoverIsNoCopy, TestMoveToANamedServer",
		},
		{
			Name: "login-with-kerberos", Capability: "logins",
			Assumed:   "A DSN without a user uses the Kerberos ticket or Windows user (`DBSCHED_TEST_MSSQL_INTEGRATED_DSN`)",
			Otherwise: "Its error needs advice",
			Elsewhere: "TestLiveMSSQLIntegratedLogin",
		},
		{
			Name: "login-with-entra", Capability: "logins",
			Assumed:   "`fedauth` uses Entra ID (`DBSCHED_TEST_MSSQL_ENTRA_DSN`)",
			Otherwise: "Its error needs advice",
			Elsewhere: "TestLiveMSSQLEntraLogin",
		},
	}
}
