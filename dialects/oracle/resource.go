package oracle

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/dbsched/dbsched/dialects"
)

// DefineResource defines a resource or changes its capacity.
func (s *scheduler) DefineResource(ctx context.Context, name string, capacity int) error {
	return s.send(ctx, s.db, defineResourceCall(name, capacity))
}

func defineResourceCall(name string, capacity int) call {
	return call{proc: "define_resource"}.set("in_name", name).set("in_capacity", int64(capacity))
}

// DropResource removes a resource with no holders or waiters.
func (s *scheduler) DropResource(ctx context.Context, name string) error {
	return s.send(ctx, s.db, call{proc: "drop_resource"}.set("in_name", name))
}

// ReleaseResource ends a request.
func (s *scheduler) ReleaseResource(ctx context.Context, request int64) error {
	return s.send(ctx, s.db, releaseResourceCall(request))
}

func releaseResourceCall(request int64) call {
	return call{proc: "release_resource"}.set("in_request_id", request)
}

func resourceQuery() string {
	return "select v.resource_name, v.capacity, v.held, v.waiting, nvl(v.request_id, 0), v.status, v.access_mode, v.requester, v.requested_by, " +
		"nvl(v.process_id, 0), nvl(v.task_id, 0), nvl(v.session_id, 0), v.requested_at, v.granted_at, v.lease_until\n" +
		"from " + object("resource_info") + " v\norder by v.resource_name, v.request_id"
}

// Resources lists resources and their lines.
func (s *scheduler) Resources(ctx context.Context) ([]dialects.ResourceRequest, error) {
	rows, err := s.db.QueryContext(ctx, resourceQuery())
	if err != nil {
		return nil, s.failed(ctx, object("resource_info"), err)
	}
	defer rows.Close()
	var all []dialects.ResourceRequest
	for rows.Next() {
		var r dialects.ResourceRequest
		var status, access, requester, by sql.NullString
		var requested, granted, lease sql.NullTime
		if err := rows.Scan(&r.Resource, &r.Capacity, &r.Held, &r.Waiting, &r.Request, &status, &access, &requester, &by,
			&r.ProcessID, &r.TaskID, &r.SessionID, &requested, &granted, &lease); err != nil {
			return nil, fmt.Errorf("%s: %w", object("resource_info"), err)
		}
		r.Status, r.Access, r.Requester, r.RequestedBy = status.String, access.String, requester.String, by.String
		r.RequestedAt, r.GrantedAt, r.LeaseUntil = pointer(requested), pointer(granted), pointer(lease)
		all = append(all, r)
	}
	return all, s.failed(ctx, object("resource_info"), rows.Err())
}
