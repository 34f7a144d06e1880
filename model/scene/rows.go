package scene

import "math"

// ArrangeInRows places nodes in a square of rows, from left to right and then down, so far apart from each other.
func ArrangeInRows(nodes []*Node, apart float32) {
	columns := int(math.Ceil(math.Sqrt(float64(len(nodes)))))
	for i, n := range nodes {
		n.Transform[12], n.Transform[13] = apart*float32(i%columns), -apart*float32(i/columns)
	}
}
