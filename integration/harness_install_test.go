package integration

// inventory lists everything in the database.
func (h *harness) inventory() []string {
	h.Helper()
	var out []string
	s := h.session()
	for _, q := range h.say.inventory {
		for _, r := range s.rows(q) {
			line := q[:min(len(q), 60)]
			for _, cell := range r {
				line += " | " + cell
			}
			out = append(out, line)
		}
	}
	return out
}
