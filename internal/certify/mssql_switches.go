package certify

import (
	"context"
	"fmt"
	"slices"
)

// mssqlSwitches are the probes of settings of a database, in a second one.
func mssqlSwitches() []Probe {
	return []Probe{{
		Name: "broker-in-use", Capability: "installation", alone: true, // it shares its database with the probes of trust
		Assumed:   "`ENABLE_BROKER WITH NO_WAIT` in a used database is error 5070 or 5069",
		Otherwise: "5061 and 5030 are handled; others are shown without the sessions in the way",
		Answers: []Answer{
			{Seen: "error 5070", Verdict: Works},
			{Seen: "error 5061", Verdict: Handled},
			{Seen: "error 5030", Verdict: Handled},
			{Seen: noError, Verdict: Handled, Means: "Service Broker can be turned on while the database is used."},
		},
		Invasive: "a second database",
		ask:      brokerInUse,
	}}
}

// brokerInUse turns Service Broker of the second database on while another session uses that.
func brokerInUse(ctx context.Context, b *bed) (string, error) {
	s, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	edition, err := s.value(ctx, "SELECT CONVERT(int, SERVERPROPERTY('EngineEdition'))")
	if err != nil {
		return "", err
	}
	if edition == "8" {
		return "", untried("a Managed Instance keeps Service Broker on")
	}
	database, err := b.second(ctx, s)
	if err != nil {
		return "", err
	}
	if err := s.exec(ctx, "USE "+database+";", "ALTER DATABASE CURRENT SET DISABLE_BROKER WITH ROLLBACK IMMEDIATE;"); err != nil {
		return "", err
	}
	other, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	if err := other.exec(ctx, "USE "+database+";"); err != nil {
		return "", err
	}
	err = s.exec(ctx, "ALTER DATABASE CURRENT SET ENABLE_BROKER WITH NO_WAIT;")
	numbers := mssqlNumbers(err)
	for _, n := range []int32{5070, 5061, 5030} {
		if slices.Contains(numbers, n) {
			return fmt.Sprintf("error %d", n), nil
		}
	}
	return errorOf(err)
}
