package builtin

// JSON functions take strict JSON and paths of names and single positions, $.a."b c"[0];
// lax syntax, filters, wildcards and the automatic unwrapping of arrays are refused.
// A failure of the document or the path's result is an ordinary error: the caller turns
// it into NULL unless ERROR ON ERROR is written (NULL is the default of both clauses).
