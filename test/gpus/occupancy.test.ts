// Occupancy against the thesis's table and equations for GT200, against rows worked out by hand for later GPUs, and
// advice that does what it says; and the catalogue of profiles.
import { describe, expect, test } from 'vitest'
import { advise, gpu, gpuNames, occupancy, refusalOf } from '../../src/gpus/index.ts'

const gt200 = gpu('gt200')

describe('GT200, as in the thesis', () => {
  // Table 3.2: most active blocks by bytes of shared memory per block, when nothing else limits.
  test.each([
    [0, 8],
    [2048, 8],
    [2049, 6],
    [2560, 6],
    [2561, 5],
    [3072, 5],
    [3073, 4],
    [4096, 4],
    [4097, 3],
    [5120, 3],
    [5121, 2],
    [8192, 2],
    [8193, 1],
    [16384, 1],
    [16385, 0],
  ])('%i bytes of shared memory: %i blocks', (shared, blocks) => {
    expect(occupancy(gt200, { threads: 64, registers: 8, shared }).activeBlocks).toBe(blocks)
  })
  test('equations 3.2 to 3.10, with 3.7 rounded up as table 3.2 has it and warps in pairs', () => {
    const up = (x: number, unit: number): number => Math.ceil(x / unit) * unit
    for (let threads = 32; threads <= 512; threads += 32)
      for (const regs of [4, 10, 16, 17, 20, 32, 40, 64, 124])
        for (const shared of [1, 500, 2300, 4096, 9000, 16000]) {
          const warps = threads / 32
          const byWarps = Math.min(8, Math.floor(32 / up(warps, 2)))
          const byRegisters = Math.floor(16384 / up(up(warps, 2) * regs * 32, 512))
          const byShared = Math.floor(16384 / up(shared, 512))
          const blocks = Math.min(byWarps, byRegisters, byShared)
          expect(occupancy(gt200, { threads, registers: regs, shared })).toMatchObject({
            activeBlocks: blocks,
            activeWarps: blocks * warps,
            occupancy: (blocks * warps) / 32,
          })
        }
  })
  test(
    'its text: at most 16 registers for full occupancy, and ' + '17 cost blocks of 256 and 512 threads 25 % and 50 %',
    () => {
      const at = (threads: number, registers: number): number =>
        occupancy(gt200, { threads, registers, shared: 0 }).occupancy
      expect([at(256, 16), at(512, 16), at(256, 17), at(512, 17)]).toEqual([1, 1, 0.75, 0.5])
    },
  )
  test('below 128 threads a block, eight blocks never fill it', () => {
    expect(occupancy(gt200, { threads: 96, registers: 10, shared: 0 })).toMatchObject({
      activeWarps: 24,
      limitedBy: ['warps', 'blocks'],
    })
    expect(occupancy(gt200, { threads: 64, registers: 10, shared: 0 })).toMatchObject({
      activeWarps: 16,
      limitedBy: ['blocks'],
    })
  })
})

describe('other GPUs, by hand', () => {
  test.each([
    // 8 warps a block. cc 1.0: 24/8 = 3; registers 10·32·8 = 2560 (unit 256): 8192/2560 = 3.
    ['g80', 256, 10, 4096, 3, 24],
    // cc 2.0: 21·32 = 672, unit 128: 768; 16384/768 = 21 a half, 42 warps: 5 blocks. 20: 640, unit 64: 25 a half, 50:
    // 6.
    ['fermi', 256, 21, 0, 5, 40],
    ['fermi', 256, 20, 0, 6, 48],
    // cc 3.5: 40·32 = 1280; 16384/1280 = 12 a quarter, 48 warps: 6 blocks.
    ['kepler', 256, 40, 0, 6, 48],
    // cc 6.0: 40·32 = 1280; 32768/1280 = 25 a half, 50 warps: 6 blocks.
    ['pascal', 256, 40, 0, 6, 48],
    // cc 7.5: 32 warps: 4 blocks by warps; 33·32 = 1056 → 1280; 12 a quarter: 48/8 = 6.
    ['turing', 256, 33, 0, 4, 32],
    // cc 8.6: 48 warps: 6; 16 blocks.
    ['ga102', 256, 32, 0, 6, 48],
    // cc 8.0: 48 KiB + 1 KiB reserved = 50176; 167936/50176 = 3.
    ['a100', 128, 32, 49152, 3, 12],
    // cc 9.0: 128·32 = 4096; 16384/4096 = 4 a quarter, 16 warps: 2 blocks of 8. 255: 8160 → 8192: 2 a quarter: 1 block.
    ['h200', 256, 128, 0, 2, 16],
    ['h200', 256, 255, 0, 1, 8],
    // 1024 threads with more than 64 registers cannot start; 64: 2048; 8 a quarter, 32 warps: 1.
    ['h200', 1024, 65, 0, 0, 0],
    ['h200', 1024, 64, 0, 1, 32],
    // 227 KiB a block is the most; one byte more cannot start. 32 KiB + 1 KiB: 233472/33792 = 6.
    ['h200', 128, 32, 232448, 1, 4],
    ['h200', 128, 32, 232449, 0, 0],
    ['h200', 128, 32, 32768, 6, 24],
    ['h200', 2048, 32, 0, 0, 0],
  ])(
    '%s, %i threads, %i registers, %i ' + 'bytes: %i blocks, %i warps',
    (name, threads, registers, shared, activeBlocks, activeWarps) => {
      expect(occupancy(gpu(name), { threads, registers, shared })).toMatchObject({ activeBlocks, activeWarps })
    },
  )
  test(
    'a preference for a small carve-out limits blocks; one ' + 'that is too small for a block is raised to fit it',
    () => {
      const use = { threads: 128, registers: 32, shared: 16 * 1024 }
      expect(occupancy(gpu('h200'), { ...use, sharedPreference: 50 * 1024 }).limits.shared).toBe(3) // 64 KiB / 17 KiB
      expect(occupancy(gpu('h200'), { ...use, sharedPreference: 8 * 1024 }).limits.shared).toBe(1) // 32 KiB / 17 KiB
      // 48 / 20
      expect(occupancy(gpu('kepler'), { ...use, shared: 20 * 1024, sharedPreference: 16 * 1024 }).limits.shared).toBe(2)
    },
  )
  test("bad numbers are the user's error", () => {
    expect(() => occupancy(gt200, { threads: 0, registers: 1, shared: 0 })).toThrow(
      'threads must be an integer of at least 1, not 0',
    )
    expect(() => occupancy(gt200, { threads: 32, registers: 1.5, shared: 0 })).toThrow('registers')
  })
})

describe('advice', () => {
  test('registers: the count it names lifts the limit, and one more does not', () => {
    const use = { threads: 256, registers: 40, shared: 0 }
    const [advice] = advise(gpu('h200'), use)
    expect(advice).toMatchObject({ limit: 'registers', change: 'registers', to: [32] })
    expect(advice!.message).toBe(
      'at most 32 registers a thread (now 40) lift this limit from 6 to 8 blocks; occupancy 75 % to 100 %',
    )
    expect(occupancy(gpu('h200'), { ...use, registers: 33 }).activeBlocks).toBe(6)
  })
  test('shared memory: 5 blocks fit in 3,072 bytes each, not in 3,073', () => {
    const advice = advise(gt200, { threads: 128, registers: 10, shared: 4000 }).find((a) => a.change === 'shared')
    expect(advice).toMatchObject({ to: [3072] })
  })
  test('block sizes, the nearest first', () => {
    const advice = advise(gt200, { threads: 64, registers: 10, shared: 0 }).find((a) => a.change === 'threads')
    expect(advice!.to[0]).toBe(128)
    expect(advice!.after.occupancy).toBe(1)
  })
  test('every change that is offered lifts its limit, or raises occupancy', () => {
    for (const name of gpuNames())
      for (const threads of [64, 192, 512])
        for (const registers of [20, 40, 100])
          for (const shared of [0, 5000, 14000]) {
            const use = { threads, registers, shared },
              now = occupancy(gpu(name), use)
            for (const a of advise(gpu(name), use)) {
              const after = occupancy(gpu(name), { ...use, [a.change]: a.to[0]! })
              expect(after.limits[a.limit] > now.limits[a.limit] || after.activeWarps > now.activeWarps).toBe(true)
            }
          }
  })
  test('nothing to say at full occupancy', () => {
    expect(advise(gpu('h200'), { threads: 256, registers: 32, shared: 0 })).toEqual([])
  })
})

describe('profiles', () => {
  test('every name gives its profile; aliases and spelling are forgiving', () => {
    for (const name of gpuNames()) expect(gpu(name).name).toBe(name)
    expect(gpu('A100').name).toBe('ampere')
    expect(gpu('RTX-3090').name).toBe('ga102')
  })
  test('an unknown name is an error with a suggestion and the list', () => {
    expect(() => gpu('h2000')).toThrow(
      /no GPU profile is called 'h2000' \[gpu\.unknown\]\n {2}hint: did you mean h200\? known: g80, gt200, fermi/,
    )
    expect(() => gpu('__proto__')).toThrow('no GPU profile')
  })
  test('numbers are finite, sourced and in plausible ranges', () => {
    for (const name of gpuNames()) {
      const p = gpu(name)
      const all = [
        p.clockHz,
        p.launchNs,
        ...Object.values(p.throughput),
        ...Object.values(p.memory),
        ...Object.values(p.latency),
      ]
      for (const s of all)
        expect(
          (Number.isFinite(s.value) || s.basis === 'unknown') && s.value >= 0 && s.source.length > 3,
          `${name}: ${s.source}`,
        ).toBe(true)
      expect(p.memory.dramBytesPerSecond.value).toBeGreaterThan(4e10)
      expect(p.clockHz.value).toBeGreaterThan(5e8)
      expect(p.occupancy.shared).toBeGreaterThanOrEqual(p.occupancy.sharedPerBlock)
    }
  })
})

test.each([
  [{ threads: 1024, registers: 16, shared: 0 }, '1024 threads a block, of at most 512'],
  [{ threads: 64, registers: 125, shared: 0 }, '125 registers a thread, of at most 124'],
  [{ threads: 512, registers: 40, shared: 0 }, '512 × 40 registers a block, of 16384'],
  [{ threads: 64, registers: 8, shared: 16385 }, '16385 bytes of shared memory a block, of at most 16384'],
  [{ threads: 64, registers: 8, shared: 16384 }, null],
])('what cannot start on a GT200 says what it lacks: %j', (use, why) => {
  expect(refusalOf(gt200, use)).toBe(why)
})
