create or replace view {{.P}}round_member_info as
-- View: {{.PU}}ROUND_MEMBER_INFO
-- Purpose: Members of rounds, and the report of each for the current generation.
-- Access: public: read{{if .Runner}}; non-administrators see only their own rounds{{end}}
-- Columns: round_id, round, member, succeeded (Y, N, NULL: no report yet), reported_at
-- Example: select m.member from {{.P}}round_member_info m where m.round = 'load' and m.succeeded is null
{{- $own := .Own "r"}}
select {{$own}}r.round_id {{.As}} round_id,
       {{$own}}r.name {{.As}} round,
       {{$own}}m.member {{.As}} member,
       {{$own}}m.succeeded {{.As}} succeeded,
       {{$own}}m.reported_at {{.As}} reported_at
from {{.Rows "rounds" "r" "defined_by"}}
inner join {{.P}}round_members m on m.round_id = r.round_id
{{- if .Runner}}
where r.mine = 1
{{- end}}
