package optimizer

import "github.com/dbsched/dbsched/sandbox/query"

// Block is a query block to be planned: what it needs of its relations beside conditions and order.
type Block struct {
	Own     Slots              // the slots of all its relations; others are set before it is opened
	Need    Slots              // the columns that are used after its relations have been joined
	Goal    float64            // how many rows will be asked for (TOP, ROWNUM, EXISTS); 0: all
	InOrder bool               // relations are joined in the order as written
	Loops   bool               // by nested loops wherever that can be done
	Width   func(slot int) int // the number of columns of a slot's rows, for outer joins
	// NoPath raises the error of hints that leave a table no access path.
	NoPath func()
}

// Order is an element of the order that is asked for.
type Order struct {
	// Slot and Ord are the column; Slot is -1 for anything else, also for a column that may be NULL if
	// NULLs are to come where indexes do not have them.
	Slot, Ord int
	Desc      bool
	Fixed     bool // the same for all rows: it orders nothing
}

// Plan is how a block's relations are read.
type Plan struct {
	Op      query.Op
	Ordered bool     // rows come in the order that was asked for; else they must be sorted
	Cost    float64  // of reading it once, in rows touched
	Rows    float64  // how many are likely to come
	Access  []string // the access paths, one line for each table: "t: seek IX_Claim (ProcessId=, Rank>) ordered"
	Slots   Slots    // the slots that it sets

	rest  []*Cond // conditions that are still to be applied
	bound bool    // depends on rows of other relations of the block: a nested-loops join drives it
}

// Plan plans the block: the rows of r for which all conditions are true, if possible in the order. Conditions
// that read nothing of the block are checked once, before anything is read.
//
// MIN or MAX of a column alone is the first row in the order of the column (or against it), with Goal 1
// and a condition that the column is not NULL: one row of an index, if there is an ordered one.
func (b *Block) Plan(r Relation, where []*Cond, order []Order) Plan {
	panic("optimizer: to come")
}
