package changes_test

import "assay/model/modeltest"

type tree = modeltest.Tree

var (
	leaf, place      = modeltest.Leaf, modeltest.Place
	node, list       = modeltest.Node, modeltest.List
	document, things = modeltest.Document, modeltest.Things
)
