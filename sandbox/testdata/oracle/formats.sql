-- Numbers by format models: the documentation's "Results of Number Conversions"; brackets show blanks.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Format-Models.html
SELECT TO_CHAR(-5, '9S') FROM dual;
--> refused S
SELECT '[' || TO_CHAR(0, '99.99') || '][' || TO_CHAR(0.1, '99.99') || '][' || TO_CHAR(-0.2, '99.99') || ']' FROM dual;
--> [   .00][   .10][  -.20]
SELECT '[' || TO_CHAR(0, '90.99') || '][' || TO_CHAR(0.1, '90.99') || '][' || TO_CHAR(-0.2, '90.99') || ']' FROM dual;
--> [  0.00][  0.10][ -0.20]
SELECT '[' || TO_CHAR(0, '9999') || '][' || TO_CHAR(1, '9999') || ']' FROM dual;
--> [    0][    1]
SELECT '[' || TO_CHAR(123.456, '999.999') || '][' || TO_CHAR(-123.456, '999.999') || '][' || TO_CHAR(123.456, 'FM999.009') || ']' FROM dual;
--> [ 123.456][-123.456][123.456]
SELECT TO_CHAR(123.456, 'FM9.9EEEE') FROM dual;
--> refused EEEE
SELECT TO_CHAR(123.45, 'FM999.009'), TO_CHAR(123.0, 'FM999.009'), '[' || TO_CHAR(10, '099') || ']' FROM dual;
--> 123.45 | 123.00 | [ 010]
SELECT TO_CHAR(12345, '999') FROM dual;
--> ####
SELECT TO_CHAR(255, 'FMXX'), TO_CHAR(255, 'FMxx'), TO_CHAR(10, 'FM0XXX') FROM dual;
--> refused TO_CHAR with the number format element X
SELECT TO_CHAR(2026, 'FMRN') FROM dual;
--> refused RN
SELECT TO_CHAR(0.5), TO_CHAR(-0.25), TO_CHAR(100), TO_CHAR(1e10) FROM dual;
--> .5 | -.25 | 100 | 10000000000
SELECT TO_CHAR(1234.567, 'FM9990.0'), TO_CHAR(0.567, 'FM990.00'), TO_CHAR(2.5, '9') FROM dual;
--> 1234.6 | 0.57 |  3
SELECT TO_CHAR(5, '9Z9') FROM dual;
--> error: 1481
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/TO_NUMBER.html
SELECT TO_NUMBER('FF', 'XX'), TO_NUMBER('-17') FROM dual;
--> 255 | -17
SELECT TO_NUMBER('1,234') FROM dual;
--> error: 1722
SELECT TO_NUMBER('ten') FROM dual;
--> error: 1722 invalid number
SELECT TO_NUMBER('12345', '99999') FROM dual;
--> refused a format of digits

-- Dates: 5 March 2026 is a Thursday, the 64th day, in week 10.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Format-Models.html
SELECT TO_CHAR(DATE '2026-03-05', 'YYYY-MM-DD'), TO_CHAR(DATE '2026-03-05', 'DD-MON-RR'), TO_CHAR(DATE '2026-03-05') FROM dual;
--> 2026-03-05 | 05-MAR-26 | 05-MAR-26
SELECT '[' || TO_CHAR(DATE '2026-03-05', 'Day, DD Month YYYY') || ']', TO_CHAR(DATE '2026-03-05', 'FMDay, DD Month YYYY') FROM dual;
--> [Thursday , 05 March     2026] | Thursday, 5 March 2026
SELECT TO_CHAR(DATE '2026-03-05', 'DAY'), TO_CHAR(DATE '2026-03-05', 'dy'), TO_CHAR(DATE '2026-03-05', 'Mon'), TO_CHAR(DATE '2026-03-05', 'fmMONTH') FROM dual;
--> THURSDAY  | thu | Mar | MARCH
SELECT TO_CHAR(DATE '2026-03-05', 'Q'), TO_CHAR(DATE '2026-03-05', 'WW'), TO_CHAR(DATE '2026-03-05', 'IW'), TO_CHAR(DATE '2026-03-05', 'W'), TO_CHAR(DATE '2026-03-05', 'D'), TO_CHAR(DATE '2026-03-05', 'DDD') FROM dual;
--> 1 | 10 | 10 | 1 | 5 | 064
SELECT TO_CHAR(DATE '2026-12-31', 'IYYY-IW'), TO_CHAR(DATE '2027-01-01', 'IYYY-IW') FROM dual;
--> 2026-53 | 2026-53
SELECT TO_CHAR(DATE '2026-03-05', 'Mon'), TO_CHAR(DATE '2026-03-05', 'J') FROM dual;
--> Mar | 2461105
SELECT TO_CHAR(TIMESTAMP '2026-03-05 17:08:09', 'HH24:MI:SS'), TO_CHAR(TIMESTAMP '2026-03-05 17:08:09', 'HH:MI AM'), TO_CHAR(TIMESTAMP '2026-03-05 00:08:09', 'HH12:MI p.m.'), TO_CHAR(TIMESTAMP '2026-03-05 01:00:01', 'SSSSS') FROM dual;
--> 17:08:09 | 05:08 PM | 12:08 a.m. | 03601
SELECT TO_CHAR(TIMESTAMP '2026-03-05 17:08:09.123456', 'FF3'), TO_CHAR(TIMESTAMP '2026-03-05 17:08:09.5', 'SS.FF2') FROM dual;
--> 123 | 09.50
SELECT TO_CHAR(TIMESTAMP '2026-03-05 17:08:09 -07:00', 'HH24:MI TZH:TZM') FROM dual;
--> 17:08 -07:00
SELECT TO_CHAR(DATE '2026-03-05', 'fmDDTH') FROM dual;
--> refused TH
SELECT TO_CHAR(DATE '2026-03-05', '"Day" DD "of the month"') FROM dual;
--> Day 05 of the month
SELECT TO_CHAR(DATE '2026-03-05', 'FOO') FROM dual;
--> error: 1821

-- Text becomes a date by its model, or by NLS_DATE_FORMAT.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/TO_DATE.html
SELECT TO_DATE('January 15, 1989, 11:00 A.M.', 'Month dd, YYYY, HH:MI A.M.', 'NLS_DATE_LANGUAGE = American') FROM dual;
--> refused NLS parameters
SELECT TO_DATE('January 15, 1989, 11:00 A.M.', 'Month dd, YYYY, HH:MI A.M.') FROM dual;
--> 1989-01-15 11:00:00
SELECT TO_DATE('27-OCT-17', 'DD-MON-RR'), TO_DATE('05-MAR-26'), TO_DATE('5 March 2026', 'DD MON YYYY'), TO_DATE('064 2026', 'DDD YYYY') FROM dual;
--> 2017-10-27 | 2026-03-05 | 2026-03-05 | 2026-03-05
SELECT TO_DATE('13', 'HH12') FROM dual;
--> error: 1849
SELECT TO_DATE('20260305', 'YYYY-MM-DD'), TO_DATE('2026/3/5', 'YYYY-MM-DD') FROM dual;
--> 2026-03-05 | 2026-03-05
SELECT TO_DATE('2026-03-05 13', 'YYYY-MM-DD HH24:MI:SS'), EXTRACT(DAY FROM TO_DATE('2026', 'YYYY')) FROM dual;
--> 2026-03-05 13:00:00 | 1
SELECT TO_DATE('05-13-2026', 'DD-MM-YYYY') FROM dual;
--> error: 1843 not a valid month
SELECT TO_DATE('32-01-2026', 'DD-MM-YYYY') FROM dual;
--> error: 1847
SELECT TO_DATE('30-02-2026', 'DD-MM-YYYY') FROM dual;
--> error: 1839
SELECT TO_DATE('05-03-2026 10:00', 'DD-MM-YYYY') FROM dual;
--> error: 1830
SELECT TO_DATE('05-03', 'DD-MM-YYYY') FROM dual;
--> error: 1840
SELECT TO_DATE('2026-03-05 25', 'YYYY-MM-DD HH24') FROM dual;
--> error: 1850
SELECT TO_DATE('10:61', 'HH24:MI') FROM dual;
--> error: 1851
SELECT TO_DATE('10:59:61', 'HH24:MI:SS') FROM dual;
--> error: 1852
SELECT TO_DATE('today', 'DD-MM-YYYY') FROM dual;
--> error: 1858
SELECT TO_DATE('1 2', 'DD DD') FROM dual;
--> error: 1810
SELECT TO_DATE('27-OCT-98', 'DD-MON-RR') FROM dual;
--> 1998-10-27
SELECT TO_DATE('05.03.2026', 'FXDD-MM-YYYY') FROM dual;
--> refused FX
SELECT DATE '2026-02-29' FROM dual;
--> error: 1839
SELECT TO_TIMESTAMP('2026-03-05 10:11:12.345', 'YYYY-MM-DD HH24:MI:SS.FF') FROM dual;
--> 2026-03-05 10:11:12.345
