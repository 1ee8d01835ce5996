package certify

import (
	"context"
	"strconv"
	"strings"
)

// oracleSites are the probes of containers, clusters and clouds.
func oracleSites() []Probe {
	return []Probe{
		{
			Name: "guid-of-the-container", Capability: "clusters and clouds",
			Assumed:   "From 21c on `CON_ID_TO_GUID` needs no grant and returns the GUID of `V$PDBS`",
			Otherwise: "Grant `SELECT` on `SYS.V_$PDBS` there, too",
			Answers: []Answer{
				{Seen: "the GUID of V$PDBS", Verdict: Works},
				{Seen: "a GUID", Verdict: Works, Means: "V$PDBS cannot be read to compare it."},
				{Seen: "another GUID", Verdict: Handled},
				{Seen: "no GUID", Verdict: Handled},
			},
			ask: oracleGUID,
		},
		{
			Name: "wake-up-elsewhere", Capability: "clusters and clouds",
			Assumed:   "In a cluster a message wakes a session that waits on another instance, whichever that is",
			Otherwise: "Tasks start late, at most by a minute: bind the jobs to one service",
			Answers:   oracleDelays,
			ask:       oracleWakesElsewhere,
		},
		{
			Name: "grants-of-admin", Capability: "clusters and clouds",
			Assumed:   "On an Autonomous Database ADMIN can grant `DBMS_AQADM`, `DBMS_AQ` and `DBMS_LOCK`",
			Otherwise: "dbsched cannot be installed there",
			Answers:   []Answer{{Seen: "granted", Verdict: Works}}, // without them there is no installation to ask in
			ask:       oracleGrantsOfAdmin,
		},
	}
}

func oracleGUID(ctx context.Context, b *bed) (string, error) {
	s, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	version, err := s.value(ctx, "select max(p.version) from product_component_version p")
	if err != nil {
		return "", err
	}
	major, _, _ := strings.Cut(version, ".")
	if n, err := strconv.Atoi(major); err != nil || n < 21 {
		return "", untried("the release is older than 21c")
	}
	if container, err := s.value(ctx, "select sys_context('USERENV', 'CDB_NAME') from dual"); err != nil || container == "" {
		return "", untried("this is no container")
	}
	// As dbsched reads it: the reference calls what the function returns a NUMBER, and shows 32 hexadecimal digits.
	if err := s.exec(ctx, `create or replace function certify_guid return varchar2 is
    l_guid varchar2(100);
begin
    execute immediate 'select con_id_to_guid(sys_context(''USERENV'', ''CON_ID'')) from dual' into l_guid;
    return l_guid;
end certify_guid;`); err != nil {
		return "", err
	}
	guid, err := s.value(ctx, "select certify_guid from dual")
	switch seen, err := oracleAnswer(err); {
	case err != nil:
		return "", err
	case seen != "no error" || len(guid) != 32:
		return "no GUID", nil
	}
	if err := s.oracleSees(ctx, "V$PDBS"); err != nil {
		return "a GUID", nil //nolint:nilerr // there is nothing to compare it with
	}
	same, err := s.value(ctx, "select count(*) from v$pdbs p where p.con_id = sys_context('USERENV', 'CON_ID') and rawtohex(p.guid) = '"+guid+"'")
	switch {
	case err != nil:
		return "", err
	case same == "1":
		return "the GUID of V$PDBS", nil
	}
	return "another GUID", nil
}

// oracleWakesElsewhere lets a job wait on each other instance than the one that sends the message, one after the other. DBMS_UTILITY.ACTIVE_INSTANCES needs no grant.
func oracleWakesElsewhere(ctx context.Context, b *bed) (string, error) {
	cluster, err := oracleCluster(ctx, b.db)
	switch {
	case err != nil:
		return "", err
	case cluster != "yes":
		return "", untried("this is not a cluster")
	}
	s, err := b.oracleSession(ctx, "create table certify_instances (n number)", `declare
    l_all dbms_utility.instance_table;
    l_count number;
begin
    dbms_utility.active_instances(l_all, l_count);
    for i in 1 .. l_count loop
        insert into certify_instances (n) values (l_all(i).inst_number);
    end loop;
    commit;
end;`)
	if err != nil {
		return "", err
	}
	others, err := s.values(ctx, "select i.n from certify_instances i where i.n <> sys_context('USERENV', 'INSTANCE') order by i.n")
	switch {
	case err != nil:
		return "", err
	case len(others) == 0:
		return "", untried("the cluster has one instance")
	}
	worst := ""
	for _, instance := range others {
		seen, err := oracleWakes(ctx, b, "WAKE_"+instance, instance)
		if err != nil {
			return "", err
		}
		worst = oracleLater(worst, seen)
	}
	return worst, nil
}

// oracleGrantsOfAdmin: only an Autonomous Database has a cloud service (SQL Language Reference, SYS_CONTEXT); others may not know the word (ORA-02003).
func oracleGrantsOfAdmin(ctx context.Context, b *bed) (string, error) {
	s, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	service, err := s.value(ctx, "select sys_context('USERENV', 'CLOUD_SERVICE') from dual")
	if _, err := oracleAnswer(err); err != nil {
		return "", err
	}
	if service == "" {
		return "", untried("this is not an Autonomous Database")
	}
	return "granted", nil
}
