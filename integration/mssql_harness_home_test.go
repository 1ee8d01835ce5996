package integration

// comesFrom changes the settings to another database's, which is what a copy holds.
func (h *harness) comesFrom(set string) {
	h.Helper()
	h.session().exec("UPDATE dbsched.Settings SET " + set + ";")
}
