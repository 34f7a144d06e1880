//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

const windowMode = "ASSAY_DRAGOUT_WINDOW"

func runWindow() {}
