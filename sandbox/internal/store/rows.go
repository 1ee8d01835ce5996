package store

const pageRows = 256

// rowMap holds the newest versions of a table's rows by row id. Ids are assigned in sequence, so it
// is a paged array; pages without rows are not kept.
type rowMap struct {
	pages []*page
	base  int64 // page number of pages[0]
	count int
}

type page struct {
	used int
	rows [pageRows]*version
}

// Len returns the number of rows.
func (m *rowMap) Len() int { return m.count }

// Get returns the newest version of a row.
func (m *rowMap) Get(id RowID) (*version, bool) {
	n := int64(id)/pageRows - m.base
	if n < 0 || n >= int64(len(m.pages)) || m.pages[n] == nil {
		return nil, false
	}
	v := m.pages[n].rows[id%pageRows]
	return v, v != nil
}

// Set sets the newest version of a row.
func (m *rowMap) Set(id RowID, v *version) {
	n := int64(id)/pageRows - m.base
	if len(m.pages) == 0 {
		m.base, n = m.base+n, 0
	}
	for ; n < 0; n++ { // a row below all others: its insert waited for a lock
		m.pages = append([]*page{nil}, m.pages...)
		m.base--
	}
	for n >= int64(len(m.pages)) {
		m.pages = append(m.pages, nil)
	}
	p := m.pages[n]
	if p == nil {
		p = &page{}
		m.pages[n] = p
	}
	if p.rows[id%pageRows] == nil {
		p.used++
		m.count++
	}
	p.rows[id%pageRows] = v
}

// Delete removes a row.
func (m *rowMap) Delete(id RowID) {
	if _, ok := m.Get(id); !ok {
		return
	}
	n := int64(id)/pageRows - m.base
	p := m.pages[n]
	p.rows[id%pageRows] = nil
	p.used--
	m.count--
	if p.used > 0 {
		return
	}
	m.pages[n] = nil
	for len(m.pages) > 0 && m.pages[0] == nil {
		m.pages = m.pages[1:]
		m.base++
	}
}

// Up returns the first row with an id of at least the given one.
func (m *rowMap) Up(id RowID) (RowID, *version, bool) {
	n, at := int64(id)/pageRows-m.base, int64(id)%pageRows
	if n < 0 {
		n, at = 0, 0
	}
	for ; n < int64(len(m.pages)); n, at = n+1, 0 {
		if p := m.pages[n]; p != nil {
			for ; at < pageRows; at++ {
				if v := p.rows[at]; v != nil {
					return RowID((n+m.base)*pageRows + at), v, true
				}
			}
		}
	}
	return 0, nil, false
}

// Down returns the last row with an id of at most the given one.
func (m *rowMap) Down(id RowID) (RowID, *version, bool) {
	n, at := int64(id)/pageRows-m.base, int64(id)%pageRows
	if n >= int64(len(m.pages)) {
		n, at = int64(len(m.pages))-1, pageRows-1
	}
	for ; n >= 0; n, at = n-1, pageRows-1 {
		if p := m.pages[n]; p != nil {
			for ; at >= 0; at-- {
				if v := p.rows[at]; v != nil {
					return RowID((n+m.base)*pageRows + at), v, true
				}
			}
		}
	}
	return 0, nil, false
}

// Scan calls fn for every row, in order, until it returns false.
func (m *rowMap) Scan(fn func(RowID, *version) bool) {
	for id, v, ok := m.Up(0); ok && fn(id, v); id, v, ok = m.Up(id + 1) {
	}
}
