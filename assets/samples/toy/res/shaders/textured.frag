uniform sampler2D u_diffuseTexture;
uniform vec3 u_ambientColor;
varying vec2 v_texCoord;

void main()
{
    vec4 base = texture2D(u_diffuseTexture, v_texCoord);
    gl_FragColor = vec4(base.rgb * u_ambientColor, base.a);
}
