create or replace view {{.P}}resource_info as
-- View: {{.PU}}RESOURCE_INFO
-- Purpose: Resources and their lines: a row for each request, holders first, and one row for a resource that nobody wants.
-- Access: public: select
-- Columns: resource_name, capacity, held, waiting (requests that hold it, and that wait), request_id (also the order of the line),
--   status (Waiting, Reserved: granted, and whom it was granted to does not know yet, or Granted), access_mode, requester,
--   requested_by, requested_by_os_user, requested_by_client, process_id, task_id, session_id, requested_at, granted_at, lease_until
-- Example: select * from {{.P}}resource_info order by resource_name, request_id
select s.name as resource_name,
       s.capacity,
       (select count(*) from {{.P}}resource_requests h where h.resource_id = s.resource_id and h.status in ('Granted', 'Reserved')) as held,
       (select count(*) from {{.P}}resource_requests w where w.resource_id = s.resource_id and w.status = 'Waiting') as waiting,
       r.request_id,
       r.status,
       r.access_mode,
       r.requester,
       r.requested_by,
       r.requested_by_os_user,
       r.requested_by_client,
       r.process_id,
       r.task_id,
       r.session_id,
       r.requested_at,
       r.granted_at,
       r.lease_until
from {{.P}}resources s
left outer join {{.P}}resource_requests r on r.resource_id = s.resource_id
