package changes_test

import "assay/model/compare/comparetest"

type tree = comparetest.Tree

var (
	leaf, place      = comparetest.Leaf, comparetest.Place
	node, list       = comparetest.Node, comparetest.List
	document, things = comparetest.Document, comparetest.Things
)
