package certify

import (
	"context"
	"fmt"
	"strconv"
	"time"
)

// What a probe needs at most, beside what dbsched and the run itself need: its own sessions, one of dbsched's and that of a job.
const (
	oracleProcesses = lanes + 1           // the dispatcher's job, too
	oracleSessions  = oracleProcesses + 3 // of the run
	oracleOfProbe   = 5
)

// twoClocks is the slack in a cluster: Cluster Verification Utility accepts clocks that are a second away from the reference.
const twoClocks = 2 * time.Second

// oracleLimits reads what the user may see of the limits.
func oracleLimits(ctx context.Context, p *place) (atOnce int) {
	if cluster, err := oracleCluster(ctx, p.db); err == nil && cluster == "yes" {
		p.slack = twoClocks
	}
	number := func(query string) (int, bool) {
		found, err := column(ctx, p.db, query)
		if err != nil || len(found) != 1 {
			return 0, false
		}
		n, err := strconv.Atoi(found[0])
		return n, err == nil
	}
	atOnce = beside
	if n, ok := number("select p.value from v$parameter p where p.name = 'job_queue_processes'"); ok {
		atOnce = min(atOnce, n-oracleProcesses)
		if n <= oracleProcesses {
			p.few = fmt.Sprintf("few job processes: job_queue_processes is less than %d", oracleProcesses+1)
		}
	}
	if n, ok := number("select l.limit from user_resource_limits l where l.resource_name = 'SESSIONS_PER_USER'"); ok {
		atOnce = min(atOnce, (n-oracleSessions)/oracleOfProbe)
		if n < oracleSessions+oracleOfProbe {
			p.few = fmt.Sprintf("few sessions: the profile allows less than %d (SESSIONS_PER_USER)", oracleSessions+oracleOfProbe)
		}
	}
	return max(1, atOnce)
}
