-- SQL Language Reference, "Pattern-matching Conditions", "CASE Expressions", "BETWEEN Condition", "IN Condition".
create table t (v varchar2(20))
/
insert into t select column_value from (select 'abc' as column_value from dual union all select 'aXc' from dual union all select 'a_c' from dual union all select 'a%c' from dual union all select null from dual)
/
select v from t where v like 'a_c' order by v
/
select v from t where v like 'a\_c' escape '\'
/
select v from t where v like 'a!%c' escape '!'
/
select v from t where v not like '%b%' order by v
/
select v from t where v like 'A%'
/
select v from t where upper(v) like 'AX%'
/
select v from t where v like 'a\' escape '\'
/
select v from t where regexp_like(v, '^a[bX]c$') order by v
/
select v from t where regexp_like(v, 'axc', 'i')
/
-- Comparison is binary: upper case before lower case.
select v from t where v between 'a' and 'ab' order by v
/
select count(*) from t where v in ('abc', null, 'x')
/
select count(*) from t where (v, 1) in (('abc', 1), ('aXc', 2))
/
select case v when 'abc' then 1 end as c, case when v is null then 'n' when v > 'a_' then 'g' else 'e' end as d from t order by v
/
