package oracle

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"

	"github.com/dbsched/dbsched/dialects"
)

// DefineRound defines a round, changes it, or removes one without members.
func (s *scheduler) DefineRound(ctx context.Context, r dialects.NewRound) error {
	return s.send(ctx, s.db, defineRoundCall(r))
}

func defineRoundCall(r dialects.NewRound) call {
	return call{proc: "define_round"}.set("in_round", r.Name).set("in_members", nameList(r.Members)).
		setIf(r.SuccessorJob != "", "in_successor_job", r.SuccessorJob).
		setIf(r.SuccessorSQL != "", "in_successor_sql", r.SuccessorSQL).
		setIf(r.Order != 0, "in_execution_order", int64(r.Order)).
		setIf(r.ProcessID != 0, "in_process_id", r.ProcessID).
		setIf(r.MaxAge != 0, "in_max_age_seconds", seconds(r.MaxAge)).
		setIf(r.StartTimeout != 0, "in_start_seconds", seconds(r.StartTimeout))
}

// ReportRound reports for a member. If a job must be started, this session starts it.
func (s *scheduler) ReportRound(ctx context.Context, round, member string, succeeded bool) (dialects.RoundOutcome, error) {
	var outcome sql.NullString
	err := s.send(ctx, s.db, reportRoundCall(round, member, succeeded, &outcome))
	return dialects.RoundOutcome(outcome.String), err
}

func reportRoundCall(round, member string, succeeded bool, outcome *sql.NullString) call {
	c := call{proc: "report_round", out: []arg{{"out_outcome", outcome}}}
	return c.set("in_round", round).set("in_member", member).set("in_succeeded", verbatim(strconv.FormatBool(succeeded)))
}

func roundQuery() string {
	return "select v.round_id, v.name, v.generation, v.members, v.succeeded, v.failed, v.first_report_at, v.successor_job, v.successor_sql, " +
		"v.max_age_seconds, v.start_seconds, nvl(v.last_generation, 0), v.last_status, v.last_fired_at, v.last_fired_by, nvl(v.last_task_id, 0), " +
		"v.last_detail, v.defined_by\nfrom " + object("round_info") + " v\norder by v.name"
}

func reportQuery() string {
	return "select v.round_id, v.member, v.succeeded, v.reported_at\nfrom " + object("round_member_info") + " v\norder by v.round_id, v.member"
}

// Rounds lists rounds with their reports.
func (s *scheduler) Rounds(ctx context.Context) ([]dialects.Round, error) {
	all, err := s.rounds(ctx)
	if err != nil || len(all) == 0 {
		return all, err
	}
	rows, err := s.db.QueryContext(ctx, reportQuery())
	if err != nil {
		return nil, s.failed(ctx, object("round_member_info"), err)
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var r dialects.RoundReport
		var succeeded sql.NullString
		var at sql.NullTime
		if err := rows.Scan(&id, &r.Member, &succeeded, &at); err != nil {
			return nil, fmt.Errorf("%s: %w", object("round_member_info"), err)
		}
		if succeeded.Valid {
			yes := succeeded.String == "Y"
			r.Succeeded = &yes
		}
		r.ReportedAt = pointer(at)
		dialects.TakeReport(all, id, r)
	}
	return all, s.failed(ctx, object("round_member_info"), rows.Err())
}

func (s *scheduler) rounds(ctx context.Context) ([]dialects.Round, error) {
	rows, err := s.db.QueryContext(ctx, roundQuery())
	if err != nil {
		return nil, s.failed(ctx, object("round_info"), err)
	}
	defer rows.Close()
	var all []dialects.Round
	for rows.Next() {
		var r dialects.Round
		var first, fired sql.NullTime
		var job, text, status, by, detail sql.NullString
		if err := rows.Scan(&r.ID, &r.Name, &r.Generation, &r.Members, &r.Succeeded, &r.Failed, &first, &job, &text, &r.MaxAgeSeconds, &r.StartSeconds,
			&r.LastGeneration, &status, &fired, &by, &r.LastTaskID, &detail, &r.DefinedBy); err != nil {
			return nil, fmt.Errorf("%s: %w", object("round_info"), err)
		}
		r.FirstReportAt, r.LastFiredAt = pointer(first), pointer(fired)
		r.SuccessorJob, r.SuccessorSQL, r.LastStatus, r.LastFiredBy, r.LastDetail = job.String, text.String, status.String, by.String, detail.String
		all = append(all, r)
	}
	return all, s.failed(ctx, object("round_info"), rows.Err())
}
