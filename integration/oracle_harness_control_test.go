package integration

// condemned counts the lanes whose sessions are being ended.
func (h *harness) condemned() string {
	h.Helper()
	return h.session().value("select count(*) from ds_lanes where condemned_by is not null")
}
