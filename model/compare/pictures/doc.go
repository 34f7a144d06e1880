// Package pictures compares two images pixel by pixel. It knows nothing of documents.
//
//	pixels.go  how many pixels differ, and the image of their differences
package pictures
