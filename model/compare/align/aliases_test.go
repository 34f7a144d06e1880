package align_test

import "assay/model/modeltest"

var noise = modeltest.Noise
