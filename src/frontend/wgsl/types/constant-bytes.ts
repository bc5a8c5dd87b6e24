// In: a constant value. Out: its bytes as WGSL lays them out. The one idea: walk the type; used for constant arrays.
import { hostArray, f16Bits } from '../../../ir/index.ts'
import { columnStride, scalarNamesOf, memoryOf, bytesOfWgsl, strideOf, vectorType, type WType } from './types.ts'
import type { WgslValue } from '../values.ts'

/**
 * Where each scalar of a type stands, in bytes from its start, in order of `scalarNamesOf`. Runtime-sized arrays count
 * none.
 */
export function offsets(type: WType, start = 0): number[] {
  switch (type.kind) {
    case 'scalar':
    case 'atomic':
      return [start]
    case 'vector':
      return Array.from({ length: type.size }, (_, i) => start + i * (type.element === 'f16' ? 2 : 4))
    case 'matrix':
      return Array.from({ length: type.columns }, (_, i) =>
        offsets(vectorType(type.rows, type.element), start + i * columnStride(type)),
      ).flat()
    case 'array':
      return Array.from({ length: type.count ?? 0 }, (_, i) => offsets(type.element, start + i * strideOf(type))).flat()
    case 'struct':
      return type.members.flatMap((m) => offsets(m.type, start + m.offset))
    case 'pointer':
    case 'texture':
    case 'sampler':
    case 'void':
      return []
  }
}

export function packValue(value: WgslValue): ArrayBuffer {
  const bytes = new ArrayBuffer(Math.ceil(bytesOfWgsl(value.type) / 4) * 4)
  const names = scalarNamesOf(value.type)
  offsets(value.type).forEach((at, i) => {
    const p = value.parts[i]
    if (p?.kind !== 'const') return
    const type = memoryOf(names[i]!)
    hostArray(type, bytes, at, 1)[0] = type === 'f16' ? f16Bits(Number(p.value)) : Number(p.value)
  })
  return bytes
}
