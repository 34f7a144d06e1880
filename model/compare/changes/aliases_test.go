package changes_test

import "assay/model/modeltest"

type tree = modeltest.Tree

var (
	leaf, layoutLeaf = modeltest.Leaf, modeltest.OffsetNode
	node, list       = modeltest.Node, modeltest.List
	document, items  = modeltest.Document, modeltest.Items
)
