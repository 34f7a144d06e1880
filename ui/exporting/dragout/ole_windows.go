package dragout

import (
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// The two COM objects that OLE calls during a drag: the first word of each points to a table of functions. See
// learn.microsoft.com/windows/win32/com/transferring-shell-objects-with-drag-and-drop-and-the-clipboard

// Results of functions.
const (
	resultOK             = 0
	resultNoInterface    = 0x80004002 // E_NOINTERFACE
	resultNotImplemented = 0x80004001 // E_NOTIMPL
	resultFailed         = 0x80004005 // E_FAIL
	resultNoFormat       = 0x80040064 // DV_E_FORMATETC
	resultNoIndex        = 0x80040068 // DV_E_LINDEX
	resultNoAdvice       = 0x80040003 // OLE_E_ADVISENOTSUPPORTED
	resultDrop           = 0x00040100 // DRAGDROP_S_DROP
	resultCanceled       = 0x00040101 // DRAGDROP_S_CANCEL
	resultDefaultCursors = 0x00040102 // DRAGDROP_S_USEDEFAULTCURSORS

	effectCopy    = 1
	leftButton    = 1
	hdrop         = 15 // CF_HDROP
	mediumMemory  = 1  // TYMED_HGLOBAL
	mediumStream  = 4  // TYMED_ISTREAM
	aspectContent = 1  // DVASPECT_CONTENT
)

type formatetc struct {
	format uint16
	device uintptr
	aspect uint32
	index  int32
	medium uint32
}

type stgmedium struct {
	medium uint32
	data   uintptr
	owner  uintptr
}

var (
	ole32    = windows.NewLazySystemDLL("ole32.dll")
	shell32  = windows.NewLazySystemDLL("shell32.dll")
	shlwapi  = windows.NewLazySystemDLL("shlwapi.dll")
	user32   = windows.NewLazySystemDLL("user32.dll")
	kernel32 = windows.NewLazySystemDLL("kernel32.dll")

	oleInitialize     = ole32.NewProc("OleInitialize")
	doDragDrop        = ole32.NewProc("DoDragDrop")
	newFormats        = shell32.NewProc("SHCreateStdEnumFmtEtc")
	newFileStream     = shlwapi.NewProc("SHCreateStreamOnFileEx")
	registerFormat    = user32.NewProc("RegisterClipboardFormatW")
	globalAlloc       = kernel32.NewProc("GlobalAlloc")
	globalLock        = kernel32.NewProc("GlobalLock")
	globalUnlock      = kernel32.NewProc("GlobalUnlock")
	moveMemory        = kernel32.NewProc("RtlMoveMemory")
	namesFormat       = sync.OnceValue(func() uint16 { return clipboardFormat("FileGroupDescriptorW") })
	contentsFormat    = sync.OnceValue(func() uint16 { return clipboardFormat("FileContents") })
	idUnknown         = windows.GUID{Data4: [8]byte{0xC0, 0, 0, 0, 0, 0, 0, 0x46}}
	idDataObject      = windows.GUID{Data1: 0x10e, Data4: idUnknown.Data4}
	idDropSource      = windows.GUID{Data1: 0x121, Data4: idUnknown.Data4}
	dataObjectMethods = sync.OnceValue(func() *[12]uintptr {
		return &[12]uintptr{
			syscall.NewCallback((*dataObject).queryInterface), syscall.NewCallback((*dataObject).addRef),
			syscall.NewCallback((*dataObject).release), syscall.NewCallback((*dataObject).getData),
			syscall.NewCallback((*dataObject).getDataHere), syscall.NewCallback((*dataObject).queryGetData),
			syscall.NewCallback((*dataObject).getCanonicalFormat), syscall.NewCallback((*dataObject).setData),
			syscall.NewCallback((*dataObject).enumFormats), syscall.NewCallback((*dataObject).advise),
			syscall.NewCallback((*dataObject).unadvise), syscall.NewCallback((*dataObject).enumAdvise),
		}
	})
	dropSourceMethods = sync.OnceValue(func() *[5]uintptr {
		return &[5]uintptr{
			syscall.NewCallback((*dropSource).queryInterface), syscall.NewCallback((*dropSource).addRef),
			syscall.NewCallback((*dropSource).release), syscall.NewCallback((*dropSource).queryContinue),
			syscall.NewCallback((*dropSource).feedback),
		}
	})
)

func clipboardFormat(name string) uint16 {
	p, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return 0
	}
	n, _, _ := registerFormat.Call(uintptr(unsafe.Pointer(p)))
	return uint16(n)
}

// referenced keeps objects alive that other processes reference: the garbage collector does not see those references.
var referenced sync.Map

// references counts the references to the object that contains it.
type references struct{ count atomic.Int32 }

func (r *references) addRef() uintptr {
	referenced.Store(r, true)
	return uintptr(r.count.Add(1))
}

func (r *references) release() uintptr {
	n := r.count.Add(-1)
	if n == 0 {
		referenced.Delete(r)
	}
	return uintptr(n)
}

// dataObject implements IDataObject for the files of a drag.
type dataObject struct {
	methods *[12]uintptr
	references
	offer *offer
}

func newDataObject(o *offer) *dataObject {
	d := &dataObject{methods: dataObjectMethods(), offer: o}
	d.addRef()
	return d
}

func (d *dataObject) queryInterface(id *windows.GUID, out **dataObject) uintptr {
	if *id != idUnknown && *id != idDataObject {
		*out = nil
		return resultNoInterface
	}
	*out = d
	d.addRef()
	return resultOK
}

func (d *dataObject) formats() []formatetc {
	return []formatetc{
		{format: namesFormat(), aspect: aspectContent, index: -1, medium: mediumMemory},
		{format: contentsFormat(), aspect: aspectContent, index: -1, medium: mediumStream},
		{format: hdrop, aspect: aspectContent, index: -1, medium: mediumMemory},
	}
}

func (d *dataObject) queryGetData(f *formatetc) uintptr {
	for _, has := range d.formats() {
		if f.format == has.format && f.medium&has.medium != 0 {
			return resultOK
		}
	}
	return resultNoFormat
}

func (d *dataObject) getData(f *formatetc, m *stgmedium) uintptr {
	if status := d.queryGetData(f); status != resultOK {
		return status
	}
	*m = stgmedium{medium: mediumMemory}
	switch f.format {
	case namesFormat():
		m.data = globalOf(d.offer.descriptors())
	case hdrop:
		b := d.offer.writeAll()
		if len(b.paths) == 0 {
			return resultFailed
		}
		m.data = globalOf(dropFiles(b.paths))
	default:
		i := int(f.index)
		if i == -1 && len(d.offer.entries) == 1 {
			i = 0
		}
		if i < 0 || i >= len(d.offer.entries) || d.offer.entries[i].item < 0 {
			return resultNoIndex
		}
		path, err := d.offer.writeItem(d.offer.entries[i].item)
		if err != nil {
			return resultFailed
		}
		m.medium, m.data = mediumStream, streamOf(path)
	}
	if m.data == 0 {
		return resultFailed
	}
	return resultOK
}

func (d *dataObject) enumFormats(direction uint32, out *uintptr) uintptr {
	*out = 0
	if direction != 1 { // DATADIR_GET
		return resultNotImplemented
	}
	all := d.formats()
	status, _, _ := newFormats.Call(uintptr(len(all)), uintptr(unsafe.Pointer(&all[0])), uintptr(unsafe.Pointer(out)))
	return status
}

func (*dataObject) getDataHere(*formatetc, *stgmedium) uintptr { return resultNotImplemented }

func (*dataObject) getCanonicalFormat(_, out *formatetc) uintptr {
	out.device = 0
	return resultNotImplemented
}

func (*dataObject) setData(*formatetc, *stgmedium, uintptr) uintptr      { return resultNotImplemented }
func (*dataObject) advise(*formatetc, uintptr, uintptr, uintptr) uintptr { return resultNoAdvice }
func (*dataObject) unadvise(uintptr) uintptr                             { return resultNoAdvice }
func (*dataObject) enumAdvise(uintptr) uintptr                           { return resultNoAdvice }

// dropSource implements IDropSource, which decides when a drag ends.
type dropSource struct {
	methods *[5]uintptr
	references

	overOwnWindow func() bool // reports whether the pointer is over this program's window
	returned      bool        // the pointer returned to the window, where the drag continues
}

func newDropSource(own func() bool) *dropSource {
	s := &dropSource{methods: dropSourceMethods(), overOwnWindow: own}
	s.addRef()
	return s
}

func (s *dropSource) queryInterface(id *windows.GUID, out **dropSource) uintptr {
	if *id != idUnknown && *id != idDropSource {
		*out = nil
		return resultNoInterface
	}
	*out = s
	s.addRef()
	return resultOK
}

func (s *dropSource) queryContinue(escape, keys uint32) uintptr {
	switch {
	case escape != 0:
		return resultCanceled
	case s.overOwnWindow():
		s.returned = true
		return resultCanceled
	case keys&leftButton == 0:
		return resultDrop
	}
	return resultOK
}

func (*dropSource) feedback(uint32) uintptr { return resultDefaultCursors }

// globalOf copies bytes into memory that the receiver frees. It returns 0 on failure.
func globalOf(b []byte) uintptr {
	const movable = 2
	h, _, _ := globalAlloc.Call(movable, uintptr(len(b)))
	if h == 0 {
		return 0
	}
	at, _, _ := globalLock.Call(h)
	_, _, _ = moveMemory.Call(at, uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
	_, _, _ = globalUnlock.Call(h)
	return h
}

// streamOf opens a file as IStream. It returns 0 on failure.
func streamOf(path string) uintptr {
	p, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return 0
	}
	const readShared = 0x20 // STGM_READ | STGM_SHARE_DENY_WRITE
	var stream uintptr
	status, _, _ := newFileStream.Call(uintptr(unsafe.Pointer(p)), readShared, windows.FILE_ATTRIBUTE_NORMAL, 0, 0,
		uintptr(unsafe.Pointer(&stream)))
	if int32(status) < 0 {
		return 0
	}
	return stream
}
