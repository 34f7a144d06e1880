// Package comparison shows two versions of a file side by side, in a tab of the window: what changed in their structure
// as a tree of pairs, in their bytes as two aligned hex views, and in detail for the pair that is selected. Series
// compares each state of a series with the one before. The rooms below it are the lenses, the lists of folders and of
// three versions, and what they share; none of them knows this package.
package comparison
