package compare_test

import "assay/model/compare/comparetest"

type tree = comparetest.Tree

var (
	leaf, place, at = comparetest.Leaf, comparetest.Place, comparetest.At
	node, list      = comparetest.Node, comparetest.List
	document, noise = comparetest.Document, comparetest.Noise
)
