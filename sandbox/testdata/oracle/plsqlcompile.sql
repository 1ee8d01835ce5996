-- Compilation errors come as ORA-06550 with a PLS number; a stored unit is created all the same, and is invalid.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/plsql-error-handling.html
CREATE TABLE t (id NUMBER, name VARCHAR2(10));
--> ok
BEGIN x := 1; END;
--> error: 6550 PLS-00201: identifier 'X' must be declared
BEGIN do_it; END;
--> error: 6550 PLS-00201: identifier 'DO_IT' must be declared
DECLARE n NUMBER BEGIN NULL; END;
--> error: 6550 PLS-00103: Encountered the symbol "BEGIN"
BEGIN dbms_output.put_line('x') END;
--> error: 6550 PLS-00103: Encountered the symbol "END"
BEGIN IF 1 = 1 THEN NULL; END; END;
--> error: 6550 PLS-00103
BEGIN NULL;
--> error: 6550 PLS-00103: Encountered the symbol "end-of-file"
DECLARE n NUMBER; BEGIN n = 1; END;
--> error: 6550 PLS-00103: Encountered the symbol "="
BEGIN END;
--> error: 6550 PLS-00103
DECLARE n NUMBER; BEGIN IF n == 1 THEN NULL; END IF; END;
--> error: 6550 PLS-00103
BEGIN ELSEIF; END;
--> error: 6550 PLS-00201
DECLARE n NUMBER := 1; BEGIN IF n = 1 THEN NULL; ELSE IF n = 2 THEN NULL; END IF; END;
--> error: 6550 PLS-00103
BEGIN SELECT id FROM t; END;
--> error: 6550 PLS-00428: an INTO clause is expected in this SELECT statement
DECLARE n NUMBER; BEGIN SELECT nothing INTO n FROM t; END;
--> error: 6550 PL/SQL: ORA-00904: "NOTHING": invalid identifier
BEGIN INSERT INTO no_table VALUES (1); END;
--> error: 6550 PL/SQL: ORA-00942: table or view does not exist
BEGIN CREATE TABLE x (a NUMBER); END;
--> error: 6550 PLS-00103: Encountered the symbol "CREATE"
DECLARE c CONSTANT NUMBER := 1; BEGIN c := 2; END;
--> error: 6550 PLS-00363: expression 'C' cannot be used as an assignment target
DECLARE c CONSTANT NUMBER; BEGIN NULL; END;
--> error: 6550 PLS-00322
DECLARE n NUMBER NOT NULL; BEGIN NULL; END;
--> error: 6550 PLS-00218
DECLARE b BOOLEAN; BEGIN b := 1; END;
--> error: 6550 PLS-00382: expression is of wrong type
DECLARE b BOOLEAN := TRUE; BEGIN dbms_output.put_line(b); END;
--> error: 6550 PLS-00306: wrong number or types of arguments in call to 'PUT_LINE'
BEGIN IF 1 THEN NULL; END IF; END;
--> error: 6550 PLS-00382
BEGIN dbms_output.put_lin('x'); END;
--> refused
BEGIN dbms_output.put_line('a', 'b'); END;
--> error: 6550 PLS-00306
BEGIN dbms_output.put_line(nothing => 'a'); END;
--> error: 6550 PLS-00306
DECLARE n NUMBER; n VARCHAR2(1); BEGIN n := 1; END;
--> error: 6550 PLS-00371: at most one declaration for 'N' is permitted
DECLARE r t%ROWTYPE; BEGIN r.nothing := 1; END;
--> error: 6550 PLS-00302: component 'NOTHING' must be declared
DECLARE v t.nothing%TYPE; BEGIN NULL; END;
--> error: 6550 PLS-00302: component 'NOTHING' must be declared
DECLARE v no_table%ROWTYPE; BEGIN NULL; END;
--> error: 6550 PLS-00201: identifier 'NO_TABLE' must be declared
DECLARE v NUMBR; BEGIN NULL; END;
--> error: 6550 PLS-00201: identifier 'NUMBR' must be declared
DECLARE v VARCHAR2; BEGIN NULL; END;
--> error: 6550 PLS-00215: String length constraints must be in range (1 .. 32767)
DECLARE v VARCHAR2(32768); BEGIN NULL; END;
--> error: 6550 PLS-00215
BEGIN EXIT; END;
--> error: 6550 PLS-00376: illegal EXIT/CONTINUE statement
BEGIN RAISE; END;
--> error: 6550 PLS-00367
BEGIN NULL; EXCEPTION WHEN OTHERS THEN NULL; WHEN ZERO_DIVIDE THEN NULL; END;
--> error: 6550 PLS-00370: OTHERS handler must be last among the exception handlers of a block
BEGIN NULL; EXCEPTION WHEN ZERO_DIVIDE THEN NULL; WHEN ZERO_DIVIDE THEN NULL; END;
--> error: 6550 PLS-00483
BEGIN NULL; EXCEPTION WHEN NO_SUCH_THING THEN NULL; END;
--> error: 6550 PLS-00201: identifier 'NO_SUCH_THING' must be declared
DECLARE n NUMBER; PROCEDURE p IS BEGIN NULL; END; BEGIN n := p; END;
--> error: 6550 PLS-00222: no function with name 'P' exists in this scope
DECLARE FUNCTION f RETURN NUMBER IS BEGIN RETURN 1; END; BEGIN f; END;
--> error: 6550 PLS-00221: 'F' is not a procedure or is undefined
DECLARE PROCEDURE p IS BEGIN RETURN 1; END; BEGIN p; END;
--> error: 6550 PLS-00372
DECLARE FUNCTION f RETURN NUMBER IS BEGIN RETURN; END; BEGIN NULL; END;
--> error: 6550 PLS-00503
DECLARE PROCEDURE p (a NUMBER) IS BEGIN a := 1; END; BEGIN p(1); END;
--> error: 6550 PLS-00363
DECLARE PROCEDURE p (a OUT NUMBER) IS BEGIN a := 1; END; BEGIN p(1); END;
--> error: 6550 PLS-00363
DECLARE PROCEDURE p (a NUMBER, b NUMBER) IS BEGIN NULL; END; BEGIN p(a => 1, 2); END;
--> error: 6550 PLS-00312
DECLARE CURSOR c IS SELECT id FROM t; a NUMBER; b NUMBER; BEGIN OPEN c; FETCH c INTO a, b; END;
--> error: 6550 PLS-00394: wrong number of values in the INTO list of a FETCH statement
BEGIN FOR i IN 1..3 LOOP i := 5; END LOOP; END;
--> error: 6550 PLS-00363
DECLARE n NUMBER; BEGIN n := t; END;
--> error: 6550 PLS-00357: Table,View Or Sequence reference 'T' not allowed in this context
DECLARE n NUMBER; BEGIN n := 'a' + ; END;
--> error: 6550 PLS-00103
BEGIN dbms_output.put_line(COUNT(*)); END;
--> error: 6550 PLS-00103
DECLARE TYPE tt IS TABLE OF NUMBER; x tt := tt(1); n NUMBER; BEGIN SELECT COUNT(*) INTO n FROM t WHERE id IN (SELECT COLUMN_VALUE FROM TABLE(x)); END;
--> refused
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/CREATE-PROCEDURE-statement.html
CREATE OR REPLACE PROCEDURE bad IS BEGIN nothing; END;
--> ok
SELECT name, type, line, text FROM user_errors WHERE name = 'BAD' AND sequence = 1;
--> BAD | PROCEDURE | 1 | PLS-00201: identifier 'NOTHING' must be declared
SELECT status FROM user_objects WHERE object_name = 'BAD';
--> INVALID
BEGIN bad; END;
--> error: 6550 PLS-00905: object APP.BAD is invalid
CREATE OR REPLACE PACKAGE pk IS PROCEDURE a; PROCEDURE b; END;
--> ok
CREATE OR REPLACE PACKAGE BODY pk IS PROCEDURE a IS BEGIN NULL; END; END;
--> ok
SELECT text FROM user_errors WHERE name = 'PK' AND type = 'PACKAGE BODY' AND sequence = 1;
--> PLS-00323: subprogram or cursor 'B' is declared in a package specification and must be defined in the package body
BEGIN pk.c; END;
--> error: 6550 PLS-00302: component 'C' must be declared
BEGIN pk.a; END;
--> error: 4063 package body "APP.PK" has errors
DROP PROCEDURE nothing;
--> error: 4043 object NOTHING does not exist
DROP PACKAGE pk;
--> ok
CREATE OR REPLACE PROCEDURE t IS BEGIN NULL; END;
--> error: 955
