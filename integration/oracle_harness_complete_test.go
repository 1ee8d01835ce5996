package integration

// raising is a task that raises an error of the server, after something else.
func raising(number, first string) string {
	return "declare e exception; pragma exception_init(e, -" + number + "); begin " + first + " raise e; end;"
}
