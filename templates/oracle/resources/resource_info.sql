create or replace view {{.P}}resource_info as
-- View: {{.PU}}RESOURCE_INFO
-- Purpose: Resources and their lines: one row for each request, and one row for a resource with no requests.
-- Access: public: read{{if .Runner}}; non-administrators see the details of their own requests only{{end}}
-- Columns: resource_name, capacity, held, waiting (numbers of requests), request_id (also the order of the line),
--   status (Waiting, Reserved: granted, but not yet noticed by the requester, or Granted), access_mode, requester,
--   requested_by, requested_by_os_user, requested_by_client, process_id, task_id, session_id, requested_at, granted_at, lease_until
-- Example: select * from {{.P}}resource_info order by resource_name, request_id
{{- $own := .Own "r"}}
select s.name as resource_name,
       s.capacity,
       (select count(*) from {{.P}}resource_requests h where h.resource_id = s.resource_id and h.status in ('Granted', 'Reserved')) as held,
       (select count(*) from {{.P}}resource_requests w where w.resource_id = s.resource_id and w.status = 'Waiting') as waiting,
       r.request_id,
       r.status,
       r.access_mode,
       {{$own}}r.requester {{.As}} requester,
       {{$own}}{{.Name "r.requested_by"}} {{.As}} requested_by,
       {{$own}}r.requested_by_os_user {{.As}} requested_by_os_user,
       {{$own}}r.requested_by_client {{.As}} requested_by_client,
       {{$own}}r.process_id {{.As}} process_id,
       {{$own}}r.task_id {{.As}} task_id,
       {{$own}}r.session_id {{.As}} session_id,
       r.requested_at,
       r.granted_at,
       {{$own}}r.lease_until {{.As}} lease_until
from {{.P}}resources s
left outer join {{.Rows "resource_requests" "r" "requested_by"}} on r.resource_id = s.resource_id
