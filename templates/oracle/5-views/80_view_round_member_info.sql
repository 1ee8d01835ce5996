create or replace view {{.P}}round_member_info as
-- View: {{.PU}}ROUND_MEMBER_INFO
-- Purpose: Members of rounds, and the report of each for the current generation.
-- Access: public: read{{if .Runner}}; non-administrators see only their own rounds{{end}}
-- Columns: round_id, round, member, succeeded (Y, N, NULL: no report yet), reported_at
-- Example: select m.member from {{.P}}round_member_info m where m.round = 'load' and m.succeeded is null
select r.round_id,
       r.name as round,
       m.member,
       m.succeeded,
       m.reported_at
from {{.P}}rounds r
inner join {{.P}}round_members m on m.round_id = r.round_id
{{- if .Runner}}
where (select {{.P}}rights.administrator from dual) = 'Y'
   or nlssort(r.defined_by, 'NLS_SORT=BINARY') = (select nlssort({{.P}}rights.submitter, 'NLS_SORT=BINARY') from dual)
{{- end}}
