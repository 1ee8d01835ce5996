package certify

// oracleElsewhere are the assumptions that one connection cannot try.
func oracleElsewhere() []Probe {
	return []Probe{
		{
			Name: "tns-name", Capability: "logins",
			Assumed:   "A listener accepts the whole descriptor of a TNS name (`DBSCHED_TEST_ORACLE_TNS_DSN`)",
			Otherwise: "Send each address separately",
			Elsewhere: "TestLiveOracleTNSName",
		},
		{
			Name: "wallet", Capability: "logins",
			Assumed:   "A wallet logs in with its password or certificate (`DBSCHED_TEST_ORACLE_WALLET_DSN`)",
			Otherwise: "docs/cli.md must name the supported wallets",
			Elsewhere: "TestLiveOracleWallet",
		},
	}
}
