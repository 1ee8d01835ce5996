-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_AQADM.html
CREATE OR REPLACE FUNCTION text_of (r RAW) RETURN VARCHAR2 IS BEGIN RETURN CHR(TO_NUMBER(SUBSTR(RAWTOHEX(r), 1, 2), 'XX')); END;
--> ok
BEGIN
  DBMS_AQADM.CREATE_QUEUE_TABLE('q_table', 'RAW');
  DBMS_AQADM.CREATE_QUEUE('q', 'q_table');
END;
--> ok
BEGIN DBMS_AQADM.CREATE_QUEUE_TABLE('q_table', 'RAW'); END;
--> error: 24001
BEGIN DBMS_AQADM.CREATE_QUEUE('q', 'q_table'); END;
--> error: 24006
BEGIN DBMS_AQADM.CREATE_QUEUE('q2', 'no_table'); END;
--> error: 24002
DECLARE o DBMS_AQ.ENQUEUE_OPTIONS_T; p DBMS_AQ.MESSAGE_PROPERTIES_T; id RAW(16); BEGIN DBMS_AQ.ENQUEUE('q', o, p, HEXTORAW('41'), id); END;
--> error: 25207
BEGIN DBMS_AQADM.START_QUEUE('q'); END;
--> ok
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_AQ.html
DECLARE
  o DBMS_AQ.ENQUEUE_OPTIONS_T;
  p DBMS_AQ.MESSAGE_PROPERTIES_T;
  id RAW(16);
BEGIN
  DBMS_AQ.ENQUEUE('q', o, p, HEXTORAW('41'), id);
  p.correlation := 'second';
  DBMS_AQ.ENQUEUE('q', o, p, HEXTORAW('42'), id);
  dbms_output.put_line(LENGTH(RAWTOHEX(id)));
  COMMIT;
END;
--> print: 32
SELECT COUNT(*) FROM aq$q_table WHERE msg_state = 'READY';
--> 2
DECLARE
  o DBMS_AQ.DEQUEUE_OPTIONS_T;
  p DBMS_AQ.MESSAGE_PROPERTIES_T;
  id RAW(16);
  m RAW(10);
BEGIN
  o.wait := DBMS_AQ.NO_WAIT;
  o.dequeue_mode := DBMS_AQ.BROWSE;
  DBMS_AQ.DEQUEUE('q', o, p, m, id);
  dbms_output.put_line('browsed ' || text_of(m));
  o.dequeue_mode := DBMS_AQ.REMOVE;
  o.navigation := DBMS_AQ.FIRST_MESSAGE;
  DBMS_AQ.DEQUEUE('q', o, p, m, id);
  dbms_output.put_line('got ' || text_of(m) || p.attempts);
  ROLLBACK;
  DBMS_AQ.DEQUEUE('q', o, p, m, id);
  dbms_output.put_line('again ' || text_of(m) || p.attempts);
  o.correlation := 'second';
  DBMS_AQ.DEQUEUE('q', o, p, m, id);
  dbms_output.put_line(p.correlation || ' ' || text_of(m));
  COMMIT;
  DBMS_AQ.DEQUEUE('q', o, p, m, id);
EXCEPTION WHEN OTHERS THEN dbms_output.put_line(SQLCODE);
END;
--> print: browsed A
--> print: got A0
--> print: again A1
--> print: second B
--> print: -25228
DECLARE
  o DBMS_AQ.DEQUEUE_OPTIONS_T;
  p DBMS_AQ.MESSAGE_PROPERTIES_T;
  id RAW(16);
  m RAW(10);
  t DATE := SYSDATE;
  no_messages EXCEPTION;
  PRAGMA EXCEPTION_INIT(no_messages, -25228);
BEGIN
  o.wait := 60;
  DBMS_AQ.DEQUEUE('q', o, p, m, id);
EXCEPTION WHEN no_messages THEN dbms_output.put_line(ROUND((SYSDATE - t) * 86400));
END;
--> print: 60
DECLARE
  o DBMS_AQ.ENQUEUE_OPTIONS_T;
  p DBMS_AQ.MESSAGE_PROPERTIES_T;
  id RAW(16);
BEGIN
  o.visibility := DBMS_AQ.IMMEDIATE;
  DBMS_AQ.ENQUEUE('q', o, p, HEXTORAW('43'), id);
  o.visibility := DBMS_AQ.ON_COMMIT;
  DBMS_AQ.ENQUEUE('q', o, p, HEXTORAW('44'), id);
  ROLLBACK;
END;
--> ok
SELECT COUNT(*) FROM aq$q_table WHERE msg_state = 'READY';
--> 1
DECLARE o DBMS_AQ.ENQUEUE_OPTIONS_T; p DBMS_AQ.MESSAGE_PROPERTIES_T; id RAW(16); BEGIN DBMS_AQ.ENQUEUE('no_queue', o, p, HEXTORAW('43'), id); END;
--> error: 25205
BEGIN DBMS_AQADM.DROP_QUEUE('q'); END;
--> error: 24011
BEGIN DBMS_AQADM.STOP_QUEUE('q'); DBMS_AQADM.DROP_QUEUE('q'); DBMS_AQADM.DROP_QUEUE_TABLE('q_table'); END;
--> ok
BEGIN DBMS_AQADM.DROP_QUEUE('q'); END;
--> error: 24010
