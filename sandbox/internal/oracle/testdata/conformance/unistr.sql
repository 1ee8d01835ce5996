-- SQL Language Reference, UNISTR, LENGTH; Database Error Messages, ORA-30186.
select unistr('a\00FCb\20AC\\c') u, length2('ab') l, length2(null) n from dual
/
select length(to_char(unistr('\D83D\DE00'))) l from dual
/
select unistr('\00F') from dual
/
