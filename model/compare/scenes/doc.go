// Package scenes compares two scenes, and colors what changed in copies of both.
//
//	scenes.go    which nodes belong together, and their states    marked.go  the colored copies
//	travel.go    vertices that moved                               dots.go    clouds of points
//	surfaces.go  materials and textures                            sheet.go   the assets of a package, marked
package scenes
