// Package scenes compares two scenes, and colors what changed in copies of both.
//
//	scenes.go  which nodes belong together, and their states    marked.go    the colored copies
//	mesh.go    vertices and triangles                           distance.go  how far vertices moved
//	skin.go    joints and weights                               surfaces.go  materials and textures
//	dots.go    clouds of points                                 sheet.go     the assets of a package, marked
package scenes
