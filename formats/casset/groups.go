package casset

import "assay/model"

func (f *file) groups() []model.Grouping { return nil }
