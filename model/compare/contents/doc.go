// Package contents compares what things are made of: two meshes, skins, animations, pictures, sounds or texts. What
// changed is data, a Part each, of which Part.String makes a sentence.
//
//	contents.go  two contents of any kind      part.go      a change, and its sentence
//	mesh.go      vertices and triangles        distance.go  how far vertices moved
//	skin.go      joints and weights            motion.go    keys of animations
//	pictures.go  pictures and their parts      words.go     numbers and lists in words
//
// Two images are compared pixel by pixel. Two scenes are compared, and what changed is colored in copies of both. Two
// lists are compared as one table, with a row for each element of either. Two texts are compared line by line, and two
// lines word by word.
package contents
