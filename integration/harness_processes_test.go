package integration

func (h *harness) statuses(ids []int64) []string {
	h.Helper()
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = h.statusOf(id)
	}
	return out
}
