// Launches of host code that CUDA does not start, at their line; those beside them are still explained.
import { describe, expect, test } from 'vitest'
import { launchesInText } from '../../../src/cli/commands/host-launches.ts'

const kernel = '__global__ void k(float* x) { x[threadIdx.x] = 1; }'
const launches = (...sizes: readonly string[]): ReturnType<typeof launchesInText> =>
  launchesInText(
    { text: `${kernel}\nint main() {\n${sizes.map((s) => `k<<<${s}>>>(x);\n`).join('')}}`, file: 'k.cu' },
    {},
    {},
  )

describe('sizes that no GPU takes', () => {
  test.each([
    ['4, dim3(1024, 2)', /a block of 1024 × 2 × 1 is 2048 threads, and a block has 1024 at most/],
    ['4, dim3(1, 1, 128)', /a block has 64 threads along z at most, not 128/],
    ['dim3(1, 100000), 32', /a grid has 65535 blocks along y at most, not 100000/],
    ['dim3(1, 1, 65536), 32', /a grid has 65535 blocks along z at most, not 65536/],
  ])('%s', (size, message) => expect(() => launches(size)).toThrow(message))

  test('no blocks, by a division that rounds down', () => {
    const text = `${kernel}\nint main() { int n = 200;\nk<<<n / 256, 256>>>(x); }`
    expect(() => launchesInText({ text, file: 'k.cu' }, {}, {})).toThrow(
      'k.cu:3:1: error: the launch of k has no blocks',
    )
  })

  test('the line of the launch, and the other launch', () => {
    const [first, second] = launches('dim3(1, 65535), dim3(16, 64)', '8, 2048')
    expect(first!.refused).toBeUndefined()
    expect(second!.refused).toMatchObject({ code: 'explain.launch', at: { file: 'k.cu', line: 4, column: 1 } })
  })
})
