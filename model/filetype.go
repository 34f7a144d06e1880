package model

// FileType is a kind of file as a desktop knows it: what shared-mime-info, a registry or a bundle's Info.plist say.
type FileType struct {
	MIME   string
	Title  string   // "Gameplay bundle"
	Icon   string   // name of its picture among the program's assets
	Globs  []string // "*.gpb"; empty where the extension belongs to others too and only the content tells
	Shared []string // "*.pac": belongs to others too; where a system does not look at the content, the program is one to choose
	Parent string   // MIME type that it is a kind of; empty for plain bytes
	Magic  []Magic  // any of these tells the type
}

// Magic are bytes that a file of a type has.
type Magic struct {
	Bytes []byte
	From  int     // offset
	To    int     // last offset to look at; From if 0
	And   []Magic // of which one must be there too
}
