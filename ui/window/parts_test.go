package window

import (
	"assay/model"
	"assay/ui/comparison"
	"assay/ui/doc"
)

func paneOf(t Tab) *doc.Pane { return partOf[*doc.Pane](t) }

func comparisonOf(t Tab) *comparison.Comparison { return partOf[*comparison.Comparison](t) }

func documentOf(t Tab) *model.Document { return partOf[*model.Document](t) }
