package oracle

import (
	"context"

	"github.com/dbsched/dbsched/dialects"
)

// leftQuery lists what belongs to users who no longer exist. As in the package DS_RIGHTS, another user of the name is not the same, except the
// owner, and except without a runner, when all tasks are the owner's.
func leftQuery() string {
	return `select l.what || l.user_name
from (select w.what, substr(w.who, 1, instr(w.who, '#', -1) - 1) as user_name, to_number(substr(w.who, instr(w.who, '#', -1) + 1)) as user_id
      from (select 'administrator ' as what, a.user_name as who from ` + object("administrators") + ` a
            union all
            select 'schedule "' || s.name || '" of ', s.owner from ` + object("schedules") + ` s
            union all
            select 'round "' || r.name || '" of ', r.defined_by from ` + object("rounds") + ` r where r.successor_sql is not null
            union all
            select 'the alarm hook of ', h.alarm_hook_by from ` + object("settings") + ` h where h.alarm_hook is not null
            union
            select 'unfinished tasks of ', t.enqueued_by from ` + object("tasks") + ` t where t.unfinished_process_id >= 0) w) l
where not exists (select 1 from all_users u
                  where u.username = l.user_name
                    and (u.user_id = l.user_id or u.username = user or exists (select 1 from ` + object("settings") + ` s where s.runner is null)))
order by 1`
}

// checkOwners looks for what was left by users who no longer exist.
func (v *verification) checkOwners(ctx context.Context) error {
	left, err := v.names(ctx, leftQuery())
	if err == nil {
		v.Add(dialects.OwnerCheck(left))
	}
	return err
}
