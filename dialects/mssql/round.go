package mssql

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/dbsched/dbsched/dialects"
)

// DefineRound defines a round, changes it, or removes one without members.
func (s *scheduler) DefineRound(ctx context.Context, r dialects.NewRound) error {
	c, err := defineRoundCall(r)
	if err != nil {
		return err
	}
	return s.send(ctx, s.db, c)
}

func defineRoundCall(r dialects.NewRound) (call, error) {
	members, err := json.Marshal(append([]string{}, r.Members...)) // [] for nil, not null
	if err != nil {
		return call{}, fmt.Errorf("members of round %s: %w", r.Name, err)
	}
	return call{proc: "DefineRound"}.set("Round", r.Name).set("Members", string(members)).
		setIf(r.SuccessorJob != "", "SuccessorJob", r.SuccessorJob).
		setIf(r.SuccessorSQL != "", "SuccessorSQL", r.SuccessorSQL).
		setIf(r.Order != 0, "ExecutionOrder", int64(r.Order)).
		setIf(r.ProcessID != 0, "ProcessId", r.ProcessID).
		setIf(r.MaxAge != 0, "MaxAgeSeconds", seconds(r.MaxAge)).
		setIf(r.StartTimeout != 0, "StartSeconds", seconds(r.StartTimeout)), nil
}

// ReportRound reports for a member. If a job must be started, this session starts it.
func (s *scheduler) ReportRound(ctx context.Context, round, member string, succeeded bool) (dialects.RoundOutcome, error) {
	var outcome sql.NullString
	err := s.send(ctx, s.db, reportRoundCall(round, member, succeeded, &outcome))
	return dialects.RoundOutcome(outcome.String), err
}

func reportRoundCall(round, member string, succeeded bool, outcome *sql.NullString) call {
	c := call{proc: "ReportRound", out: []outArg{{"Outcome", outcome}}}
	return c.set("Round", round).set("Member", member).set("Succeeded", succeeded)
}

func (s *scheduler) roundQuery() string {
	return "SELECT CAST(v.RoundId AS bigint), v.Name, v.Generation, v.Members, v.Succeeded, v.Failed, v.FirstReportAt, ISNULL(v.SuccessorJob, N''), " +
		"ISNULL(v.SuccessorSql, N''), CAST(v.MaxAgeSeconds AS bigint), CAST(v.StartSeconds AS bigint), ISNULL(v.LastGeneration, 0), ISNULL(v.LastStatus, ''), " +
		"v.LastFiredAt, ISNULL(v.LastFiredBy, N''), ISNULL(v.LastTaskId, 0), ISNULL(v.LastDetail, N''), v.DefinedBy\nFROM " + s.object("RoundInfo") + " AS v\nORDER BY v.Name;"
}

func (s *scheduler) reportQuery() string {
	return "SELECT CAST(v.RoundId AS bigint), v.Member, v.Succeeded, v.ReportedAt\nFROM " + s.object("RoundMemberInfo") + " AS v\nORDER BY v.RoundId, v.Member;"
}

// Rounds lists rounds with their reports.
func (s *scheduler) Rounds(ctx context.Context) ([]dialects.Round, error) {
	all, err := s.rounds(ctx)
	if err != nil || len(all) == 0 {
		return all, err
	}
	rows, err := s.db.QueryContext(ctx, s.reportQuery())
	if err != nil {
		return nil, s.failed("RoundMemberInfo", err)
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var r dialects.RoundReport
		var at moment
		if err := rows.Scan(&id, &r.Member, &r.Succeeded, &at); err != nil {
			return nil, s.failed("RoundMemberInfo", err)
		}
		r.ReportedAt = at.pointer()
		dialects.TakeReport(all, id, r)
	}
	return all, s.failed("RoundMemberInfo", rows.Err())
}

func (s *scheduler) rounds(ctx context.Context) ([]dialects.Round, error) {
	rows, err := s.db.QueryContext(ctx, s.roundQuery())
	if err != nil {
		return nil, s.failed("RoundInfo", err)
	}
	defer rows.Close()
	var all []dialects.Round
	for rows.Next() {
		var r dialects.Round
		var first, fired moment
		if err := rows.Scan(&r.ID, &r.Name, &r.Generation, &r.Members, &r.Succeeded, &r.Failed, &first, &r.SuccessorJob, &r.SuccessorSQL, &r.MaxAgeSeconds, &r.StartSeconds,
			&r.LastGeneration, &r.LastStatus, &fired, &r.LastFiredBy, &r.LastTaskID, &r.LastDetail, &r.DefinedBy); err != nil {
			return nil, s.failed("RoundInfo", err)
		}
		r.FirstReportAt, r.LastFiredAt = first.pointer(), fired.pointer()
		all = append(all, r)
	}
	return all, s.failed("RoundInfo", rows.Err())
}
