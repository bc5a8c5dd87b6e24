// Prices of options by the formula of Black and Scholes: logarithms, exponentials and roots for each element.
override n: u32 = 1048576;

struct Price {
  call: f32,
  put: f32,
}

@group(0) @binding(0) var<storage, read> stock: array<f32>;
@group(0) @binding(1) var<storage, read> strike: array<f32>;
@group(0) @binding(2) var<storage, read> years: array<f32>;
@group(0) @binding(3) var<storage, read_write> call: array<f32>;
@group(0) @binding(4) var<storage, read_write> put: array<f32>;

fn normal(d: f32) -> f32 {
  let k = 1.0 / (1.0 + 0.2316419 * abs(d));
  let tail = 0.39894228 * exp(-0.5 * d * d) * k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
  return select(tail, 1.0 - tail, d > 0.0);
}

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let s = stock[id.x] * 30.0 + 5.0;
  let x = strike[id.x] * 100.0 + 1.0;
  let t = years[id.x] * 10.0 + 0.25;
  let root = 0.3 * sqrt(t);
  let d = (log(s / x) + (0.02 + 0.045) * t) / root;
  let now = x * exp(-0.02 * t);
  call[id.x] = s * normal(d) - now * normal(d - root);
  put[id.x] = now * normal(root - d) - s * normal(-d);
}
