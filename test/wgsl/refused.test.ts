// What is refused, and in which words. One line a case: what stands in the program, and the beginning of the message.
import { describe, expect, it } from 'vitest'
import { DiagnosticError } from '../../src/base/index.ts'
import { explain } from '../../src/explain/index.ts'
import { parseWgsl } from '../../src/frontend/wgsl/index.ts'
import { gpu } from '../../src/gpus/index.ts'

const head =
  '@group(0) @binding(0) var<storage, read_write> o: array<f32>;\n@group(0) @binding(1) var<storage, read> i: ' +
  'array<i32>;\n'
const main = (body: string): string =>
  `${head}@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) l: u32) {\n${body}\n}`

function message(make: () => unknown): string {
  try {
    make()
  } catch (e) {
    if (e instanceof DiagnosticError) return e.message
    throw e
  }
  return 'accepted'
}

const bodies: readonly (readonly [string, string])[] = [
  [
    'o[0] = i[0];',
    't.wgsl:4:1: error: the assigned value has type i32, but f32 is needed [wgsl.type]\n  hint: write the ' +
      'conversion: f32(…)',
  ],
  ['i[0] = 1;', "t.wgsl:4:1: error: 'i' cannot be written [wgsl.access]\n  hint: declare it var<storage, read_write>"],
  ['o[0] = x;', "t.wgsl:4:8: error: unknown name 'x' [wgsl.name]"],
  ['o[0] = foo(1);', "t.wgsl:4:8: error: unknown function 'foo' [wgsl.name]"],
  ['let a = 1; let a = 2;', "t.wgsl:4:12: error: 'a' is declared twice in the same block [wgsl.name]"],
  ['let v = vec2f(1, 2); o[0] = v.z;', "t.wgsl:4:31: error: vec2<f32> has no component 'z' [wgsl.type]"],
  ['var a = array<i32, 3>(); a[3] = 1;', 't.wgsl:4:26: error: the index 3 is outside array<i32, 3> [wgsl.index]'],
  ['let a = i[0] + 1u;', "t.wgsl:4:1: error: '+' cannot take i32 and u32 [wgsl.type]\n  hint: convert one of them"],
  ['if (l) { }', 't.wgsl:4:4: error: a condition must be bool, not u32 [wgsl.type]'],
  [
    'o[0] = f32(l >> 32u);',
    't.wgsl:4:17: error: a value of 32 bits is shifted by 32 [wgsl.range]\n  hint: shift by 31 at most',
  ],
  ['const by = 40; o[0] = f32(l << by);', 't.wgsl:4:32: error: a value of 32 bits is shifted by 40 [wgsl.range]'],
  ['let by = 40u; o[0] = f32(l << by);', 'accepted'],
  ['o[0] = 1.0 / 0.0;', 't.wgsl:4:8: error: this constant of type abstract-float is no finite number [wgsl.range]'],
  ['let z = 0.0; o[0] = 1.0 / z;', 'accepted'],
  ['o[0] = 3e38f * 2f;', 't.wgsl:4:8: error: this constant of type f32 is no finite number [wgsl.range]'],
  ['const z = vec2f(1, 0); o[0] = (z / z.yx).x;', 't.wgsl:4:32: error: this constant of type vec2<f32> is no finite'],
  ['o[0] = sqrt(-1.0);', 't.wgsl:4:8: error: this constant of type abstract-float is no finite number [wgsl.range]'],
  ['o[0] = f32(l / 0u);', 't.wgsl:4:16: error: an integer is divided by 0 [wgsl.range]'],
  ['o[0] = f32(vec2u(l) % vec2u(3, 0)).x;', 't.wgsl:4:23: error: an integer is divided by 0 [wgsl.range]'],
  ['let z = 0u; o[0] = f32(l / z);', 'accepted'],
  ['o[0] = f32(2147483647 + 1);', 'accepted'],
  ['o[0] = 9223372036854775807 + 1;', 't.wgsl:4:8: error: the constant 9223372036854775808 does not fit 64 bits'],
  ['let a: i32 = 3000000000;', 't.wgsl:4:1: error: the value 3000000000 does not fit i32 [wgsl.range]'],
  ['o[0] = sqrt(1, 2);', 't.wgsl:4:8: error: sqrt() takes 1 argument, not 2 [wgsl.type]'],
  ['atomicAdd(&o[0], 1);', 't.wgsl:4:1: error: atomicAdd() takes a pointer to an atomic, not to f32 [wgsl.type]'],
  ['let h = 1h;', "t.wgsl:4:9: error: f16 needs 'enable f16;' [wgsl.feature]"],
  [
    '#ifdef FAST',
    't.wgsl:4:1: error: lines with # are for a preprocessor, and WGSL has none [wgsl.unsupported]\n  hint: ' +
      'explain the text that the preprocessor makes, which the device gets',
  ],
  ['break;', 't.wgsl:4:1: error: break stands outside a loop or switch [wgsl.syntax]'],
  ['const_assert 1 > 2;', 't.wgsl:4:1: error: the assertion is false [wgsl.assert]'],
  ['discard;', 't.wgsl:4:1: error: discard belongs to fragment shaders [wgsl.unsupported]'],
  ['let t = textureLoad(x, vec2u(0), 0);', "t.wgsl:4:21: error: unknown name 'x' [wgsl.name]"],
  [
    'var a: array<f32, 20000>; a[l] = 1;',
    "t.wgsl:4:1: error: variable 'a' takes 80000 bytes; the limit is 65536 [wgsl.limit]",
  ],
  ['let a = 1 +;', 't.wgsl:4:'],
]

describe('programs that are refused', () => {
  it.each(bodies)('%s', (body, expected) => {
    expect(message(() => parseWgsl(main(body), 't.wgsl')).slice(0, expected.length)).toBe(expected)
  })

  const modules: readonly (readonly [string, string])[] = [
    ['', 't.wgsl:1:1: error: the module has no @compute entry point [wgsl.entry]'],
    [
      `${main('')}\n@compute @workgroup_size(1) fn other() { }`,
      't.wgsl:1:1: error: the module has 2 entry points: main, other [wgsl.entry]\n  hint: choose one with --entry',
    ],
    [
      'override n: u32; @compute @workgroup_size(n) fn main() { }',
      "t.wgsl:1:1: error: override 'n' has no value [wgsl.override]\n  hint: give it one: --override n=…",
    ],
    [
      '@compute @workgroup_size(64, 64) fn main() { }',
      't.wgsl:1:1: error: a workgroup of 64×64×1 invocations is not between 1 and 1024 [wgsl.limit]',
    ],
    [
      '@group(0) @binding(0) var t: texture_storage_2d<rgb9e5ufloat_x, write>; @compute @workgroup_size(1) fn ' +
        'main() { _ = t; }',
      "t.wgsl:1:49: error: 'rgb9e5ufloat_x' is no texel format of a storage texture [wgsl.type]",
    ],
    [
      'import a::b; @compute @workgroup_size(1) fn main() { }',
      't.wgsl:1:1: error: imports are WESL, not WGSL [wgsl.unsupported]',
    ],
    [
      '@compute @workgroup_size({{ size_x }}, 1) fn main() { }',
      "t.wgsl:1:26: error: '{{ size_x }}' is a placeholder of a template, and WGSL has none [wgsl.unsupported]\n" +
        '  hint: explain the text that the program makes of it, which the device gets',
    ],
    [
      '@compute @workgroup_size(1) fn main() { let n = 4 * {count}u; }',
      "t.wgsl:1:53: error: '{count}' is a placeholder of a template",
    ],
    [
      'use camera.wgsl;\n@compute @workgroup_size(1) fn main() { }',
      "t.wgsl:1:1: error: 'use camera.wgsl;' is for a preprocessor, and WGSL has none [wgsl.unsupported]",
    ],
    [
      '@compute @workgroup_size(1) fn main() { part(2); }',
      "t.wgsl:1:41: error: unknown function 'part' [wgsl.name]\n  hint: if another file declares it, explain the whole",
    ],
    [
      'requires warp_drive; @compute @workgroup_size(1) fn main() { }',
      "t.wgsl:1:1: error: the language feature 'warp_drive' cannot be analysed [wgsl.unsupported]",
    ],
    [
      'enable chromium_experimental_subgroup_matrix; @compute @workgroup_size(1) fn main() { }',
      "t.wgsl:1:1: error: the extension 'chromium_experimental_subgroup_matrix' cannot be analysed [wgsl.unsupported]",
    ],
    [
      `${head}fn f(x: f32) -> f32 { return f(x); } @compute @workgroup_size(1) fn main() { o[0] = f(1); }`,
      "t.wgsl:3:30: error: function 'f' calls itself [wgsl.recursion]",
    ],
    [
      'const a = b; const b = a; @compute @workgroup_size(a) fn main() { }',
      "t.wgsl:1:1: error: 'a' is defined by itself [wgsl.cycle]",
    ],
    [
      'struct S { s: S } var<private> p: S; @compute @workgroup_size(1) fn main() { p = p; }',
      "t.wgsl:1:1: error: 'S' is defined by itself [wgsl.cycle]",
    ],
    [
      `${head}@group(0) @binding(0) var<uniform> u: u32; @compute @workgroup_size(1) fn main() { o[0] = f32(u); }`,
      "t.wgsl:3:1: error: 'u' and 'o' have the same @group(0) @binding(0) [wgsl.binding]",
    ],
  ]
  it.each(modules)('%s', (text, expected) => {
    expect(message(() => parseWgsl(text, 't.wgsl')).slice(0, expected.length)).toBe(expected)
  })
})

const many = (n: number, f: (k: number) => string): string => Array.from({ length: n }, (_, k) => f(k)).join('')
const entry = '@compute @workgroup_size(64) fn main() '
const hostile: readonly (readonly [string, string, string])[] = [
  ['an endless loop', main('loop { o[0] += 1; }'), 'more than 1000000 steps'],
  ['an endless empty loop', main('loop { }'), 'more than 1000000 steps'],
  [
    'nested counting loops',
    main(`${many(30, () => 'for (var n = 0; n < 2147483647; n++) { ')}o[0] += 1;${'}'.repeat(30)}`),
    'more than 1000000 steps',
  ],
  [
    'a huge private array',
    `${head}var<private> p: array<f32, 4000000000>; ${entry}{ o[0] = p[3]; }`,
    "variable 'p' takes 16000000000 bytes; the limit is 65536",
  ],
  [
    'a huge workgroup array',
    `${head}var<workgroup> p: array<f32, 4000000000>; ${entry}{ o[0] = p[3]; }`,
    "workgroup variable 'p' takes 16000000000 bytes; the limit is 16777216",
  ],
  [
    'a huge storage array',
    `@group(0) @binding(0) var<storage> o: array<f32, 1000000000>; ${entry}{ _ = o[0]; }`,
    "variable 'o' takes 4000000000 bytes; the limit is 2147483648",
  ],
  [
    'arrays of arrays',
    `alias A0 = array<f32, 2>; ${many(60, (k) => `alias A${k + 1} = array<A${k}, 64>; `)}var<private> p: A60; ` +
      `${entry}{ p[0] = p[1]; }`,
    'the limit is 65536',
  ],
  ['nested blocks', `${head}${entry}{${'{'.repeat(100000)}${'}'.repeat(100000)}}`, 'brackets nest deeper than 120'],
  ['nested comments', '/*'.repeat(100000), 'comments nest deeper than 100'],
  ['a chain of minus', main(`o[0] = ${'- '.repeat(50000)}1.0;`), 'an expression has more than 2000 operators'],
  [
    'many else ifs',
    main(`if (l > 1) { } ${many(5000, () => 'else if (l > 2) { } ')}`),
    'statements or expressions nest too deeply here',
  ],
  [
    'functions that call twice',
    `${head}fn g0(x: f32) -> f32 { return x * o[1]; ` +
      `}${many(40, (k) => `fn g${k + 1}(x: f32) -> f32 { return g${k}(g${k}(x)); }`)}${entry}{ o[0] = g40(1); }`,
    'the kernel has more than 150000 operations after its functions are put in place',
  ],
  [
    'constant functions that call twice',
    `${head}fn g0(x: i32) -> i32 { return 1; ` +
      `}${many(40, (k) => `fn g${k + 1}(x: i32) -> i32 { return g${k}(1) + g${k}(2); }`)}${entry}{ o[0] = ` +
      `f32(g40(1)); }`,
    'steps to evaluate',
  ],
  [
    'constants that double',
    `${head}const c0 = array<f32, 64>(); ` +
      `${many(20, (k) => `const c${k + 1} = array(${Array(8).fill(`c${k}`).join(',')});`)}${entry}{ o[0] = ` +
      `c20[0][0][0]; }`,
    'the limit is 4096',
  ],
]

describe('hostile programs end with the limit by name', () => {
  it.each(hostile)('%s', (_, text, expected) => {
    const start = process.cpuUsage().user
    expect(
      message(() => explain({ text, file: 't.wgsl' }, { grid: [1, 1, 1] }, { gpu: gpu('h200'), maxSteps: 1e6 })),
    ).toContain(expected)
    expect((process.cpuUsage().user - start) / 1e6).toBeLessThan(10)
  })

  it('a dispatch of 2³¹ workgroups', () => {
    const go = (grid: readonly [number, number, number], exact = false): string =>
      message(() => explain({ text: main('o[l] = 1;'), file: 't.wgsl' }, { grid }, { gpu: gpu('h200'), exact }))
    expect(go([2 ** 31, 1, 1])).toContain('WebGPU allows 1 to 65535 along each axis')
    expect(go([65535, 65535, 1], true)).toContain(
      '4294836225 workgroups are too many to run each: the limit is 1048576',
    )
  })

  it('names outside ASCII and control characters do not reach identifiers or quotes', () => {
    const text =
      `@group(0) @binding(0) var<storage, read_write> größe: array<f32>;\n${entry}{ größe[0] = 1.0 /* ` +
      `\u001b[31m<b> */ + 1.0; }`
    const report = explain({ text, file: 't.wgsl' }, { grid: [1, 1, 1] }, { gpu: gpu('h200') })
    expect(report.accesses.map((a) => a.resource)).toEqual(['größe'])
    expect(JSON.stringify(report)).not.toContain('\\u001b')
  })
})
