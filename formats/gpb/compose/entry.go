package compose

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strings"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model/scene"
)

// apply applies the entries of a namespace to the nodes below parent, or of the whole scene if parent is nil: it
// assigns materials and collision shapes. For a described scene it also adds new nodes and nodes of other bundles, and
// sets names, transforms, lights, cameras, terrains and sprites. As in the engine, an entry without an id counts only
// below another, not at the top of the scene.
func (c *composer) apply(s *properties.Space, parent *scene.Node) {
	for _, entry := range s.Spaces() {
		switch {
		case entry.Name != "node":
			continue
		case parent == nil && entry.ID == "":
			c.resources.Note("a scene entry without an id was skipped")
			continue
		case c.ctx.Err() != nil:
			return
		case c.nodes.visited > maxVisited:
			c.resources.Notef("the scene has too many nodes; the rest is not drawn")
			return
		}
		for _, n := range c.nodesOf(entry, parent) {
			c.assigner.AssignFromEntry(n, entry, c.file)
			if c.describes {
				applyTransform(n, entry)
				c.setLightAndCamera(n, entry)
				c.addTerrain(n, entry)
				c.addFlats(n, entry)
			}
			c.setCollision(n, entry)
			c.apply(entry, n)
		}
	}
}

// nodesOf returns the nodes for an entry: the nodes of the scene that it names, which get the name of an entry with a
// url, and for a described scene also new nodes or nodes of another bundle.
func (c *composer) nodesOf(entry *properties.Space, parent *scene.Node) []*scene.Node {
	a, url := addressOf(entry), entry.Last("url")
	if a.file != "" {
		if !c.describes {
			return nil
		}
		return c.addFromBundle(a, entry.ID, parent)
	}
	nodes := c.nodes.findAll(parent, a)
	if url != "" {
		c.nodes.rename(nodes, a.id, entry.ID)
	}
	switch {
	case len(nodes) > 0 || !c.describes:
	case url == "":
		nodes = []*scene.Node{{Name: entry.ID, Transform: scene.Identity}}
		c.nodes.add(parent, nodes[0])
	case parent == nil:
		c.resources.Notef("the scene has no node %s", a)
	default:
		c.resources.Notef("%s has no node %s", parent.Name, a)
	}
	return nodes
}

// addressOf returns the address in the last url of an entry, as in the engine, else its id.
func addressOf(entry *properties.Space) address {
	if url := entry.Last("url"); url != "" {
		return parseAddress(url)
	}
	return address{id: entry.ID}
}

// namespaceOf returns the namespace of a reference in the .scene, file#id, and the folder of its file, or nil, with a
// note.
func (c *composer) namespaceOf(reference string) (s *properties.Space, folder string) {
	name, id := project.Reference(reference)
	inRoot := c.resources.Locate(name, path.Dir(c.file))
	if inRoot == "" {
		return nil, ""
	}
	file := c.resources.Load(inRoot)
	if file == nil {
		return nil, ""
	}
	n := file.Find(id)
	if n == nil {
		c.resources.Notef("%s has no %s", inRoot, cmp.Or(id, "namespace"))
		return nil, ""
	}
	return c.resources.Space(file, n), path.Dir(inRoot)
}

// attachment returns the namespace of a kind that belongs to an entry, and the folder of its file: the last one that it
// references, if that exists, else the last one inside the entry, as each replaces the previous one. It may be nil.
func (c *composer) attachment(entry *properties.Space, kind string) (s *properties.Space, folder string) {
	if reference := entry.Last(kind); reference != "" {
		if s, folder = c.namespaceOf(reference); s != nil {
			return s, folder
		}
	}
	for _, inner := range entry.Spaces() {
		if inner.Name == kind {
			s = inner
		}
	}
	return s, path.Dir(c.file)
}

// noteExhausted notes that parts of a .scene were not read because of the limits.
func (c *composer) noteExhausted(s *properties.Space) {
	if s.Exhausted() {
		c.resources.Notef("the scene %s has too many inherited namespaces; the rest is ignored", c.file)
	}
}

// applyTransform translates, rotates and scales a node by the values of an entry.
func applyTransform(n *scene.Node, entry *properties.Space) {
	t, _ := n.Transform.Parts()
	move, rotation, scale := entry.Vector("translate", 3), entry.Vector("rotate", 4), entry.Vector("scale", 3)
	if move == nil && rotation == nil && scale == nil {
		return // a sheared transform stays unchanged
	}
	for i := range 3 {
		if move != nil {
			t.Translation[i] += move[i]
		}
		if scale != nil {
			t.Scale[i] *= scale[i]
		}
	}
	if rotation != nil {
		t.Rotation = t.Rotate([3]float32(rotation), radians(rotation[3]))
	}
	n.Transform = t.Matrix()
}

func radians(degrees float32) float64 { return float64(degrees) * math.Pi / 180 }

func (c *composer) setLightAndCamera(n *scene.Node, entry *properties.Space) {
	if s, _ := c.attachment(entry, "light"); s != nil {
		if n.Light = describedLight(s, entry.ID); n.Light == nil {
			c.resources.Notef("the light of %s is ignored: it needs a type, a color and, unless it is DIRECTIONAL, "+
				"a range; a SPOT also needs an innerAngle and an outerAngle", n.Name)
		}
	}
	if s, _ := c.attachment(entry, "camera"); s != nil {
		if n.Camera = describedCamera(s, entry.ID); n.Camera == nil {
			c.resources.Notef("the camera of %s is ignored: its type is neither PERSPECTIVE nor ORTHOGRAPHIC", n.Name)
		}
	}
}

// describedLight returns the light that a namespace describes, or nil if the engine rejects it (Light::create). Its
// angles are in radians.
func describedLight(s *properties.Space, name string) *scene.Light {
	kind, known := map[string]scene.LightKind{"DIRECTIONAL": scene.Directional, "POINT": scene.Point,
		"SPOT": scene.Spot}[s.Get("type")]
	color := s.Vector("color", 3)
	l := &scene.Light{Name: name, Kind: kind, Range: s.Number("range", 0), Inner: s.Number("innerAngle", 0),
		Outer: s.Number("outerAngle", 0)}
	if !known || color == nil || kind != scene.Directional && l.Range == 0 ||
		kind == scene.Spot && (l.Inner == 0 || l.Outer == 0) {
		return nil
	}
	l.Color = [3]float32(color)
	return l
}

// The size of the engine's window, the default view of an orthographic camera.
const windowWidth, windowHeight = 1024, 768

// describedCamera returns the camera that a namespace describes, with the defaults of the engine (Camera::create), or
// nil if it has no valid type.
func describedCamera(s *properties.Space, name string) *scene.Camera {
	kind := s.Get("type")
	if kind != "PERSPECTIVE" && kind != "ORTHOGRAPHIC" {
		return nil
	}
	cam := &scene.Camera{Name: name, Orthographic: kind == "ORTHOGRAPHIC", Aspect: s.Number("aspectRatio", 0),
		Near: s.Number("nearPlane", 0.2), Far: s.Number("farPlane", 100)}
	if cam.Orthographic {
		cam.Width, cam.Height = s.Number("zoomX", windowWidth), s.Number("zoomY", windowHeight)
	} else {
		cam.FieldOfView = float32(radians(s.Number("fieldOfView", 60)))
	}
	return cam
}

// collisionKinds are the names of the namespaces and properties for collision shapes, in all versions of the engine.
var collisionKinds = []string{"collisionObject", "rigidBody", "rigidbody", "ghostObject", "character", "vehicle",
	"vehicleWheel"}

var collisionShapes = map[string]scene.CollisionShape{"BOX": scene.BoxCollision, "SPHERE": scene.SphereCollision,
	"CAPSULE": scene.CapsuleCollision, "MESH": scene.MeshCollision, "HEIGHTFIELD": scene.MeshCollision}

// maxNamedShapes is the maximum number of collision shapes from files in one scene.
const maxNamedShapes = 10_000

// setCollision gives a node the collision shape of its entry, unless the shape uses the mesh of another node. A wrong
// name of a shape is a remark on the text only, because the picture does not depend on it until collision shapes are
// switched on.
func (c *composer) setCollision(n *scene.Node, entry *properties.Space) {
	shape := c.entryShape(entry)
	if other := cmp.Or(entry.Get("rigidBodyModel"), entry.Get("collisionMesh")); shape != nil && other != "" {
		c.resources.Notef("the collision shape of %s is not drawn: it uses the mesh of %s", n.Name, other)
	} else if shape != nil {
		n.Collision = shape
	}
}

// entryShape returns the shape of an entry: from a file that it references, the last of the first kind in
// collisionKinds; else the last shape inside the entry. It may be nil.
func (c *composer) entryShape(entry *properties.Space) (shape *scene.Collision) {
	for _, kind := range collisionKinds {
		if shape = c.namedShape(entry.Last(kind)); shape != nil {
			return shape
		}
	}
	for _, inner := range entry.Spaces() {
		if slices.Contains(collisionKinds, inner.Name) {
			shape = cmp.Or(collisionShape(inner), shape)
		}
	}
	return shape
}

// namedShape returns the shape of a reference, which is cached, or nil.
func (c *composer) namedShape(name string) *scene.Collision {
	if name == "" {
		return nil
	}
	if s, ok := c.shapes[name]; ok {
		return s
	}
	if len(c.shapes) >= maxNamedShapes {
		c.resources.Notef("the scene names more than %d collision shapes; the rest is ignored", maxNamedShapes)
		return nil
	}
	var shape *scene.Collision
	file, id := project.Reference(name)
	if inRoot := c.resources.Find(file, path.Dir(c.file)).Path; inRoot != "" {
		if text, err := c.resources.Text(inRoot); err == nil {
			if space := text.Find(id); space != nil {
				shape = collisionShape(c.resources.Space(text, space))
			}
		}
	}
	c.shapes[name] = shape
	return shape
}

// collisionShape returns the shape that a namespace describes, or nil. In 2011 the type of a body was its shape. As in
// the engine (PhysicsCollisionShape::Definition), a shape without all of its lengths takes the mesh's, and has no
// center.
func collisionShape(s *properties.Space) *scene.Collision {
	shape, ok := collisionShapes[strings.ToUpper(s.Get("shape"))]
	if !ok {
		shape, ok = collisionShapes[strings.ToUpper(s.Get("type"))]
	}
	if !ok {
		return nil
	}
	out := &scene.Collision{Shape: shape}
	size, radius, height := s.Vector("extents", 3), s.Number("radius", 0), s.Number("height", 0)
	switch {
	case shape == scene.BoxCollision && size != nil:
		out.Size = [3]float32(size)
	case shape == scene.SphereCollision && radius != 0:
		out.Radius = radius
	case shape == scene.CapsuleCollision && radius != 0 && height != 0:
		out.Radius, out.Height = radius, height
	default:
		return out
	}
	out.Absolute = s.Get("centerAbsolute") == "true"
	if v := s.Vector("center", 3); v != nil {
		out.Center = [3]float32(v)
	}
	return out
}
