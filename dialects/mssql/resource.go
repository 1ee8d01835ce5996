package mssql

import (
	"context"

	"github.com/dbsched/dbsched/dialects"
)

// DefineResource defines a resource or changes its capacity.
func (s *scheduler) DefineResource(ctx context.Context, name string, capacity int) error {
	return s.send(ctx, s.db, defineResourceCall(name, capacity))
}

func defineResourceCall(name string, capacity int) call {
	return call{proc: "DefineResource"}.set("Name", name).set("Capacity", int64(capacity))
}

// DropResource removes a resource with no holders or waiters.
func (s *scheduler) DropResource(ctx context.Context, name string) error {
	return s.send(ctx, s.db, call{proc: "DropResource"}.set("Name", name))
}

// ReleaseResource ends a request.
func (s *scheduler) ReleaseResource(ctx context.Context, request int64) error {
	return s.send(ctx, s.db, releaseResourceCall(request))
}

func releaseResourceCall(request int64) call {
	return call{proc: "ReleaseResource"}.set("RequestId", request)
}

func (s *scheduler) resourceQuery() string {
	return "SELECT v.Resource, v.Capacity, v.Held, v.Waiting, ISNULL(v.RequestId, 0), ISNULL(v.Status, ''), ISNULL(v.Access, ''), ISNULL(v.Requester, N''), " +
		"ISNULL(v.RequestedBy, N''), CAST(ISNULL(v.ProcessId, 0) AS bigint), ISNULL(v.TaskId, 0), ISNULL(v.SessionId, 0), v.RequestedAt, v.GrantedAt, v.LeaseUntil\n" +
		"FROM " + s.object("ResourceInfo") + " AS v\nORDER BY v.Resource, v.RequestId;"
}

// Resources lists resources and their lines.
func (s *scheduler) Resources(ctx context.Context) ([]dialects.ResourceRequest, error) {
	rows, err := s.db.QueryContext(ctx, s.resourceQuery())
	if err != nil {
		return nil, s.failed("ResourceInfo", err)
	}
	defer rows.Close()
	var all []dialects.ResourceRequest
	for rows.Next() {
		var r dialects.ResourceRequest
		var requested, granted, lease moment
		if err := rows.Scan(&r.Resource, &r.Capacity, &r.Held, &r.Waiting, &r.Request, &r.Status, &r.Access, &r.Requester, &r.RequestedBy,
			&r.ProcessID, &r.TaskID, &r.SessionID, &requested, &granted, &lease); err != nil {
			return nil, s.failed("ResourceInfo", err)
		}
		r.RequestedAt, r.GrantedAt, r.LeaseUntil = requested.pointer(), granted.pointer(), lease.pointer()
		all = append(all, r)
	}
	return all, s.failed("ResourceInfo", rows.Err())
}
