package tds

// Collation is a collation's five bytes: 20 bits LCID, 8 bits flags, 4 bits
// version, a sort id ([MS-TDS] 2.2.5.1.2). The flags are ignore case 1, accent 2,
// kana 4, width 8, binary 16, binary2 32.
type Collation [5]byte

// The collations that are modeled, all of code page 1252.
var (
	CIAS = Collation{0x09, 0x04, 0xD0, 0x00, 52} // SQL_Latin1_General_CP1_CI_AS
	CSAS = Collation{0x09, 0x04, 0xC0, 0x00, 51} // SQL_Latin1_General_CP1_CS_AS
	BIN2 = Collation{0x09, 0x04, 0x00, 0x02, 0}  // Latin1_General_BIN2
)

func (c Collation) known() bool { return c == CIAS || c == CSAS || c == BIN2 }
