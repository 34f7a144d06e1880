package compare_test

import "assay/model/modeltest"

type tree = modeltest.Tree

var (
	leaf, layoutLeaf, timeNode = modeltest.Leaf, modeltest.OffsetNode, modeltest.TimeNode
	node, list                 = modeltest.Node, modeltest.List
	document, noise            = modeltest.Document, modeltest.Noise
)
