    type name_set is table of varchar2(1) index by varchar2(32767);
