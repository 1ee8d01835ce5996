package oracle

import (
	"iter"

	"github.com/dbsched/dbsched/sandbox/internal/jobs"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
)

// registerSchedulerObjects adds the views of programs, named schedules and chains: the Database Reference's columns for what is modeled.
func (srv *Server) registerSchedulerObjects() {
	view := func(name, columns string, kind jobs.Kind, rows func(o *jobs.Object) [][]any) {
		srv.family(name, columns, func() iter.Seq[ownedRow] {
			return func(yield func(ownedRow) bool) {
				for o := range srv.jobs.Objects("") {
					if o.Kind != kind {
						continue
					}
					for _, cells := range rows(o) {
						if !yield(ownedRow{owner: o.Owner, row: catalog.Row(cells...), job: o.Name}) {
							return
						}
					}
				}
			}
		})
	}
	view("SCHEDULER_PROGRAMS", `PROGRAM_NAME VARCHAR2(128), PROGRAM_TYPE VARCHAR2(16), PROGRAM_ACTION VARCHAR2(4000), NUMBER_OF_ARGUMENTS NUMBER,
		ENABLED VARCHAR2(5), COMMENTS VARCHAR2(4000)`, jobs.KindProgram, func(o *jobs.Object) [][]any {
		return [][]any{{o.Name, o.Type, o.Action, 0, truth(o.Enabled), o.Comments}}
	})
	view("SCHEDULER_SCHEDULES", `SCHEDULE_NAME VARCHAR2(128), SCHEDULE_TYPE VARCHAR2(12), START_DATE TIMESTAMPTZ, REPEAT_INTERVAL VARCHAR2(4000),
		END_DATE TIMESTAMPTZ, COMMENTS VARCHAR2(4000)`, jobs.KindSchedule, func(o *jobs.Object) [][]any {
		kind := "CALENDAR"
		if o.Repeat == "" {
			kind = "ONCE"
		}
		return [][]any{{o.Name, kind, stamp(o.Start), o.Repeat, stamp(o.End), o.Comments}}
	})
	view("SCHEDULER_CHAINS", `CHAIN_NAME VARCHAR2(128), NUMBER_OF_RULES NUMBER, NUMBER_OF_STEPS NUMBER, ENABLED VARCHAR2(5),
		EVALUATION_INTERVAL INTERVAL DAY TO SECOND, USER_RULE_SET VARCHAR2(5), COMMENTS VARCHAR2(4000)`, jobs.KindChain, func(o *jobs.Object) [][]any {
		return [][]any{{o.Name, len(o.Rules), len(o.Steps), truth(o.Enabled), nil, truth(false), o.Comments}}
	})
	view("SCHEDULER_CHAIN_STEPS", `CHAIN_NAME VARCHAR2(128), STEP_NAME VARCHAR2(128), PROGRAM_OWNER VARCHAR2(128), PROGRAM_NAME VARCHAR2(128),
		SKIP VARCHAR2(5), PAUSE VARCHAR2(5), RESTART_ON_RECOVERY VARCHAR2(5), RESTART_ON_FAILURE VARCHAR2(5), STEP_TYPE VARCHAR2(14)`,
		jobs.KindChain, func(o *jobs.Object) (rows [][]any) {
			for _, s := range o.Steps {
				kind := "PROGRAM"
				if p := srv.jobs.Object(s.ProgramOwner, s.Program); p != nil && p.Kind == jobs.KindChain {
					kind = "SUBCHAIN"
				}
				rows = append(rows, []any{o.Name, s.Name, s.ProgramOwner, s.Program, truth(false), truth(false), truth(false), truth(false), kind})
			}
			return rows
		})
	view("SCHEDULER_CHAIN_RULES", `CHAIN_NAME VARCHAR2(128), RULE_OWNER VARCHAR2(128), RULE_NAME VARCHAR2(128), CONDITION VARCHAR2(4000),
		ACTION VARCHAR2(4000), COMMENTS VARCHAR2(4000)`, jobs.KindChain, func(o *jobs.Object) (rows [][]any) {
		for _, r := range o.Rules {
			rows = append(rows, []any{o.Name, o.Owner, r.Name, r.Condition, r.Action, r.Comments})
		}
		return rows
	})
}
