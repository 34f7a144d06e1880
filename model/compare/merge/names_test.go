package merge_test

import "assay/model/compare/comparetest"

type tree = comparetest.Tree

var (
	leaf             = comparetest.Leaf
	node, list       = comparetest.Node, comparetest.List
	document, things = comparetest.Document, comparetest.Things
)
