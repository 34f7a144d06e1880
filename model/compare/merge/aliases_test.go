package merge_test

import "assay/model/modeltest"

type tree = modeltest.Tree

var (
	leaf            = modeltest.Leaf
	node, list      = modeltest.Node, modeltest.List
	document, items = modeltest.Document, modeltest.Items
)
