// Package contents compares what things are made of: two meshes, skins, animations, pictures, sounds or texts. What
// changed is data, a Part each, of which Part.String makes a sentence.
//
//	contents.go  two contents of any kind      part.go      a change, and its sentence
//	mesh.go      vertices and triangles        distance.go  how far vertices moved
//	skin.go      joints and weights            motion.go    keys of animations
//	pictures.go  pictures and their parts      words.go     numbers and lists in words
package contents
