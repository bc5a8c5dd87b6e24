// out = inᵀ for n × n, each invocation a block of 4 × 4 elements read as vec4 rows and written as vec4 columns.
// Shows: writes of 16 bytes that lie n elements apart still fill their sectors, because the two rows of a subgroup write
// side by side; no workgroup memory is needed.
override n: u32 = 1024;

@group(0) @binding(0) var<storage, read> input: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> output: array<vec4f>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let width = n / 4;
  let rows = mat4x4f(
    input[(4 * id.y) * width + id.x], input[(4 * id.y + 1) * width + id.x],
    input[(4 * id.y + 2) * width + id.x], input[(4 * id.y + 3) * width + id.x]);
  let columns = transpose(rows);
  for (var i = 0u; i < 4; i++) {
    output[(4 * id.x + i) * width + id.y] = columns[i];
  }
}
