package parser

// sqlReserved reports whether a word cannot be an unquoted identifier in SQL (SQL Language Reference, "Oracle SQL
// Reserved Words"). COLUMN_VALUE and NESTED_TABLE_ID are reserved as attribute names only.
func sqlReserved(word string) bool {
	switch word {
	case "ACCESS", "ADD", "ALL", "ALTER", "AND", "ANY", "AS", "ASC", "AUDIT", "BETWEEN", "BY", "CHAR", "CHECK",
		"CLUSTER", "COLUMN", "COMMENT", "COMPRESS", "CONNECT", "CREATE", "CURRENT", "DATE", "DECIMAL", "DEFAULT",
		"DELETE", "DESC", "DISTINCT", "DROP", "ELSE", "EXCLUSIVE", "EXISTS", "FILE", "FLOAT", "FOR", "FROM", "GRANT",
		"GROUP", "HAVING", "IDENTIFIED", "IMMEDIATE", "IN", "INCREMENT", "INDEX", "INITIAL", "INSERT", "INTEGER",
		"INTERSECT", "INTO", "IS", "LEVEL", "LIKE", "LOCK", "LONG", "MAXEXTENTS", "MINUS", "MLSLABEL", "MODE",
		"MODIFY", "NOAUDIT", "NOCOMPRESS", "NOT", "NOWAIT", "NULL", "NUMBER", "OF", "OFFLINE", "ON", "ONLINE",
		"OPTION", "OR", "ORDER", "PCTFREE", "PRIOR", "PUBLIC", "RAW", "RENAME", "RESOURCE", "REVOKE", "ROW", "ROWID",
		"ROWNUM", "ROWS", "SELECT", "SESSION", "SET", "SHARE", "SIZE", "SMALLINT", "START", "SUCCESSFUL", "SYNONYM",
		"SYSDATE", "TABLE", "THEN", "TO", "TRIGGER", "UID", "UNION", "UNIQUE", "UPDATE", "USER", "VALIDATE", "VALUES",
		"VARCHAR", "VARCHAR2", "VIEW", "WHENEVER", "WHERE", "WITH":
		return true
	}
	return false
}

// pseudo reports whether a word that is reserved in SQL has a value there.
func pseudo(word string) bool {
	switch word {
	case "LEVEL", "ROWID", "ROWNUM", "SYSDATE", "UID", "USER":
		return true
	}
	return false
}

// plsqlReserved reports whether a word cannot be an unquoted identifier in PL/SQL (PL/SQL Language Reference,
// "PL/SQL Reserved Words and Keywords", table of reserved words).
func plsqlReserved(word string) bool {
	switch word {
	case "ALL", "ALTER", "AND", "ANY", "AS", "ASC", "AT", "BEGIN", "BETWEEN", "BY", "CASE", "CHECK", "CLUSTER",
		"CLUSTERS", "COLAUTH", "COLUMNS", "COMPRESS", "CONNECT", "CRASH", "CREATE", "CURSOR", "DECLARE", "DEFAULT",
		"DESC", "DISTINCT", "DROP", "ELSE", "END", "EXCEPTION", "EXCLUSIVE", "FETCH", "FOR", "FROM", "FUNCTION",
		"GOTO", "GRANT", "GROUP", "HAVING", "IDENTIFIED", "IF", "IN", "INDEX", "INDEXES", "INSERT", "INTERSECT",
		"INTO", "IS", "LIKE", "LOCK", "MINUS", "MODE", "NOCOMPRESS", "NOT", "NOWAIT", "NULL", "OF", "ON", "OPTION",
		"OR", "ORDER", "OVERLAPS", "PROCEDURE", "PUBLIC", "RESOURCE", "REVOKE", "SELECT", "SHARE", "SIZE", "SQL",
		"START", "SUBTYPE", "TABAUTH", "TABLE", "THEN", "TO", "TYPE", "UNION", "UNIQUE", "UPDATE", "VALUES", "VIEW",
		"VIEWS", "WHEN", "WHERE", "WITH":
		return true
	}
	return false
}

// notAlias reports whether an unreserved word continues the clause where an alias could be.
func notAlias(word, next string) bool {
	switch word {
	case "LEFT", "RIGHT", "FULL":
		return next == "JOIN" || next == "OUTER"
	case "INNER", "CROSS", "NATURAL", "JOIN", "OUTER", "FETCH", "OFFSET", "LOG", "RETURNING", "RETURN", "USING",
		"PIVOT", "UNPIVOT", "MODEL", "WHEN", "PARTITION", "SUBPARTITION", "SAMPLE", "VERSIONS", "MATCH_RECOGNIZE":
		return true
	}
	return false
}
