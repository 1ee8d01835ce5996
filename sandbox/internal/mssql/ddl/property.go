package ddl

// PropertyAction says which of the three procedures about extended properties runs.
type PropertyAction uint8

// sp_addextendedproperty, sp_updateextendedproperty and sp_dropextendedproperty.
const (
	AddProperty PropertyAction = iota
	UpdateProperty
	DropProperty
)
