package builtin
