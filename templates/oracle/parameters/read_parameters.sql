    -- Name and type of a member, from {"name type": value} or implied by the value.
    procedure classify (in_item in {{.P}}json.item, out_name out varchar2, out_type out varchar2) is
        l_blank pls_integer := instr(in_item.name || ' ', ' ');
    begin
        out_name := substr(in_item.name, 1, l_blank - 1);
        out_type := replace(lower(substr(in_item.name, l_blank + 1, 100)), ' ');

        if out_type is null then
            out_type := case
                when in_item.kind in ('Number', 'Boolean') then 'number'
                when in_item.long_text is not null or lengthb(in_item.text) > 4000 then 'clob'
                else 'varchar2'
            end;
        end if;
    end classify;

    -- ASCII letters only. Names had at most 30 bytes before release 12.2.
    function is_name (in_name in varchar2) return boolean is
        co_letters constant varchar2(52) := 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    begin
        return length(in_name) <= 30
            and instr(co_letters, substr(in_name, 1, 1)) > 0
            and rtrim(in_name, co_letters || '0123456789_') is null;
    end is_name;

    procedure require (in_condition in boolean) is
    begin
        if in_condition is null or not in_condition then
            raise value_error;
        end if;
    end require;

    -- Instants look like 2026-01-31T04:05:06, optionally with a fraction.
    function instant (in_text in varchar2) return varchar2 is
        l_shape varchar2(40) := translate(in_text, '123456789', '000000000');
    begin
        require(l_shape = '0000-00-00T00:00:00' or (l_shape like '0000-00-00T00:00:00.0%' and rtrim(substr(l_shape, 21), '0') is null and length(l_shape) <= 29));
        return case when length(l_shape) = 19 then in_text || '.0' else in_text end;
    end instant;

    function instant_with_zone (in_text in varchar2) return timestamp with time zone is
        l_text varchar2(40) := case when substr(in_text, -1) = 'Z' then substr(in_text, 1, length(in_text) - 1) || '+00:00' else in_text end;
        l_zone varchar2(6) := substr(l_text, -6);
    begin
        require(translate(l_zone, '-123456789', '+000000000') = '+00:00');
        return to_timestamp_tz(instant(substr(l_text, 1, length(l_text) - 6)) || l_zone, 'YYYY-MM-DD"T"HH24:MI:SS.FFTZH:TZM');
    end instant_with_zone;

    function instant_of (in_text in varchar2) return timestamp with time zone is
    begin
        return instant_with_zone(case when regexp_like(in_text, '(Z|[-+]..:..)$') then in_text else in_text || 'Z' end);
    end instant_of;
