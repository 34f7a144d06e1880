package gpb

import (
	"assay/formats/decode"
	"assay/model"
)

// camera: cameraType, aspectRatio, nearPlane, farPlane, then fieldOfView (degrees) or magnification (width, height).
func (r *reader) camera(c *decode.Cursor) *Camera {
	o := r.beginObject(c, TypeCamera)
	k := &Camera{ID: o.id}
	typ, known := c.Enum("cameraType", "byte", model.U8, cameraTypes)
	if !known || typ == 0 {
		c.Fail("a camera's type is 1 or 2, not %d", typ)
	}
	k.Aspect = float(c, "aspectRatio")
	k.Near = float(c, "nearPlane")
	k.Far = float(c, "farPlane")
	switch typ {
	case 1:
		k.FieldOfView = float(c, "fieldOfView")
	case 2:
		k.Orthographic = true
		var m [2]float32
		floats(c, "magnification", "float[2]", m[:])
		k.Width, k.Height = m[0], m[1]
	}
	r.endObject(c, o)
	return k
}

// light: lightType, color, then range and angles (radians), or the attenuation of early 1.0.
func (r *reader) light(c *decode.Cursor) *Light {
	o := r.beginObject(c, TypeLight)
	l := &Light{ID: o.id}
	typ, known := c.Enum("lightType", "byte", model.U8, lightTypes)
	if !known || typ == 0 {
		c.Fail("a light's type is 1, 2 or 3, not %d", typ)
	}
	l.Kind = uint8(typ)
	floats(c, "color", "float[3]", l.Color[:])
	if !r.layout.exporter { // red, blue, green
		c.Role(model.RoleColor)
	}
	switch {
	case typ == Directional:
	case r.layout.attenuation:
		floats(c, "attenuation", "float[3]", l.Attenuation[:])
		if typ == Spot {
			l.FalloffAngle = float(c, "falloffAngle")
			l.FalloffExponent = float(c, "falloffExponent")
		}
	default:
		l.Range = float(c, "range")
		if typ == Spot {
			l.InnerAngle = float(c, "innerAngle")
			l.OuterAngle = float(c, "outerAngle")
		}
	}
	r.endObject(c, o)
	return l
}
