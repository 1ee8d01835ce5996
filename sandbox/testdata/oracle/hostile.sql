-- What LPAD makes of a LOB is a LOB, as long as it is asked for; memory is for less than that.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/LPAD.html
SELECT LENGTH(LPAD(TO_CLOB('x'), 2000000)) FROM dual;
--> 2000000
SELECT LENGTH(LPAD(TO_CLOB('x'), 2000000000)) FROM dual;
--> refused values of more than 64 MiB
-- A hierarchy without an end.
-- https://docs.oracle.com/en/error-help/db/ora-30009/
SELECT COUNT(*) FROM dual CONNECT BY LEVEL > 0;
--> error: 30009 Not enough memory for CONNECT BY operation
