-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/declare-cursor-transact-sql
CREATE TABLE dbo.Rows1 (Id int NOT NULL PRIMARY KEY, Name varchar(10) NOT NULL); INSERT INTO dbo.Rows1 VALUES (1, 'a'), (2, 'b'), (3, 'c');
--> ok
DECLARE @id int, @all varchar(20) = ''; DECLARE c CURSOR LOCAL FAST_FORWARD FOR SELECT Id FROM dbo.Rows1 ORDER BY Id; OPEN c; FETCH NEXT FROM c INTO @id; WHILE @@FETCH_STATUS = 0 BEGIN SET @all += CAST(@id AS varchar(5)); FETCH NEXT FROM c INTO @id; END; CLOSE c; DEALLOCATE c; SELECT @all, @@FETCH_STATUS;
--> 123 | -1
DECLARE @id int, @n varchar(10); DECLARE c CURSOR LOCAL STATIC READ_ONLY FOR SELECT Id, Name FROM dbo.Rows1 WHERE Id > 1 ORDER BY Id; OPEN c; FETCH c INTO @id, @n; SELECT @id, @n;
--> 2 | b
-- A FETCH without INTO is a result.
DECLARE c CURSOR LOCAL STATIC FOR SELECT Name, Id FROM dbo.Rows1 ORDER BY Id DESC; OPEN c; FETCH NEXT FROM c; FETCH NEXT FROM c;
--> c | 3
--> ----
--> b | 2
-- A local cursor goes with its batch, a global one stays.
FETCH NEXT FROM c;
--> error: 16916 A cursor with the name 'c' does not exist
DECLARE g CURSOR GLOBAL FOR SELECT Id FROM dbo.Rows1 ORDER BY Id; OPEN g;
--> ok
FETCH NEXT FROM g;
--> 1
FETCH NEXT FROM GLOBAL g; SELECT CURSOR_STATUS('global', 'g'), CURSOR_STATUS('local', 'g');
--> 2
--> ----
--> 1 | -3
OPEN g;
--> error: 16905 The cursor is already open
DECLARE g CURSOR GLOBAL FOR SELECT 1;
--> error: 16915 A cursor with the name 'g' already exists
DECLARE g CURSOR LOCAL STATIC FOR SELECT Name FROM dbo.Rows1 ORDER BY Id DESC; OPEN g; FETCH NEXT FROM g; CLOSE GLOBAL g; OPEN GLOBAL g; FETCH NEXT FROM GLOBAL g;
--> c
--> ----
--> 1
CLOSE g; SELECT CURSOR_STATUS('global', 'g');
--> -1
FETCH NEXT FROM g;
--> error: 16917 Cursor is not open
CLOSE g;
--> error: 16917 Cursor is not open
DEALLOCATE g; SELECT CURSOR_STATUS('global', 'g');
--> -3
DEALLOCATE g;
--> error: 16916
DECLARE @a int; DECLARE c CURSOR LOCAL STATIC FOR SELECT Id, Name FROM dbo.Rows1; OPEN c; FETCH NEXT FROM c INTO @a;
--> error: 16924 Cursorfetch: The number of variables declared in the INTO list must match that of selected columns
-- A STATIC cursor shows what was there when it was opened.
DECLARE c CURSOR LOCAL STATIC FOR SELECT Id FROM dbo.Rows1 ORDER BY Id; OPEN c; DELETE FROM dbo.Rows1 WHERE Id = 1; FETCH NEXT FROM c; SELECT @@FETCH_STATUS;
--> 1
--> ----
--> 0
DECLARE c CURSOR LOCAL STATIC FOR SELECT Id FROM dbo.Rows1 WHERE Id > 100; OPEN c; FETCH NEXT FROM c; SELECT @@FETCH_STATUS; SELECT @@CURSOR_ROWS;
--> rows: 0
--> ----
--> -1
--> refused @@CURSOR_ROWS
-- A variable can hold a cursor.
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/set-local-variable-transact-sql
DECLARE @c CURSOR, @id int; SET @c = CURSOR LOCAL STATIC FOR SELECT Id FROM dbo.Rows1 ORDER BY Id; OPEN @c; FETCH NEXT FROM @c INTO @id; CLOSE @c; DEALLOCATE @c; SELECT @id;
--> refused CURSOR
DECLARE c CURSOR LOCAL STATIC FOR SELECT Id FROM dbo.Rows1; OPEN c; DECLARE @v varchar(5); FETCH c INTO @v; SELECT @v + '!';
--> 2!
DECLARE c CURSOR LOCAL DYNAMIC FOR SELECT Id FROM dbo.Rows1; OPEN c;
--> refused DYNAMIC
DECLARE c SCROLL CURSOR FOR SELECT Id FROM dbo.Rows1 ORDER BY Id;
--> refused SCROLL
DECLARE c CURSOR LOCAL FOR SELECT Id FROM dbo.Rows1; OPEN c; FETCH c; UPDATE dbo.Rows1 SET Name = 'z' WHERE CURRENT OF c;
--> refused CURRENT
DECLARE c CURSOR LOCAL STATIC FOR SELECT Id FROM dbo.Rows1 ORDER BY Id; OPEN c; FETCH LAST FROM c;
--> refused LAST
DECLARE c CURSOR LOCAL FOR SELECT Nope FROM dbo.Rows1;
--> error: 207 Invalid column name 'Nope'
DECLARE c CURSOR LOCAL FOR SELECT Id INTO dbo.Copy1 FROM dbo.Rows1;
--> refused INTO
