package align_test

import "assay/model/compare/comparetest"

var noise = comparetest.Noise
