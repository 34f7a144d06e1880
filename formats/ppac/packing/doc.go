// Package packing makes containers: of files, of containers that are loaded one over the other, of what differs in two
// of them, and of three that are merged. What is read of them comes from package ppac, and package write writes them.
//
//	packer.go     Packer, and the container that is to be written
//	files.go      containers of files
//	side.go       containers beside each other, by TPU         same.go   what is the same of an asset in two of them
//	selection.go  containers of assets that are copied         patch.go  stacks, patches, one asset replaced
//	merge.go      what changed in two containers that were made from one
package packing
