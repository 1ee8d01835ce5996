create or replace view {{.P}}resource_info as
-- View: {{.PU}}RESOURCE_INFO
-- Purpose: Resources and their lines: one row for each request, and one row for a resource with no requests.
-- Access: public: read{{if .Runner}}; non-administrators see the details of their own requests only{{end}}
-- Columns: resource_name, capacity, held, waiting (numbers of requests), request_id (also the order of the line),
--   status (Waiting, Reserved: granted, but not yet noticed by the requester, or Granted), access_mode, requester,
--   requested_by, requested_by_os_user, requested_by_client, process_id, task_id, session_id, requested_at, granted_at, lease_until
-- Example: select * from {{.P}}resource_info order by resource_name, request_id
{{- $own := printf "case when (select %srights.administrator from dual) = 'Y' or nlssort(r.requested_by, 'NLS_SORT=BINARY') = (select nlssort(%srights.submitter, 'NLS_SORT=BINARY') from dual) then" .P .P}}
select s.name as resource_name,
       s.capacity,
       (select count(*) from {{.P}}resource_requests h where h.resource_id = s.resource_id and h.status in ('Granted', 'Reserved')) as held,
       (select count(*) from {{.P}}resource_requests w where w.resource_id = s.resource_id and w.status = 'Waiting') as waiting,
       r.request_id,
       r.status,
       r.access_mode,
       {{if .Runner}}{{$own}} r.requester end as requester{{else}}r.requester{{end}},
       {{if .Runner}}{{$own}} {{.Name "r.requested_by"}} end{{else}}{{.Name "r.requested_by"}}{{end}} as requested_by,
       {{if .Runner}}{{$own}} r.requested_by_os_user end as requested_by_os_user{{else}}r.requested_by_os_user{{end}},
       {{if .Runner}}{{$own}} r.requested_by_client end as requested_by_client{{else}}r.requested_by_client{{end}},
       {{if .Runner}}{{$own}} r.process_id end as process_id{{else}}r.process_id{{end}},
       {{if .Runner}}{{$own}} r.task_id end as task_id{{else}}r.task_id{{end}},
       {{if .Runner}}{{$own}} r.session_id end as session_id{{else}}r.session_id{{end}},
       r.requested_at,
       r.granted_at,
       {{if .Runner}}{{$own}} r.lease_until end as lease_until{{else}}r.lease_until{{end}}
from {{.P}}resources s
left outer join {{.P}}resource_requests r on r.resource_id = s.resource_id
