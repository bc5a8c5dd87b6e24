// Integer division by a number that the compiler does not know: some twenty instructions each.
override steps: u32 = 32;

@group(0) @binding(0) var<storage, read> divisors: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var x = id.x + 4000000000u;
  let divisor = (divisors[0] & 1023u) + 3u;
  for (var i = 0u; i < steps; i++) {
    x = x / divisor + 4000000000u;
  }
  output[id.x] = x;
}
