// In: a flat body. Out: how many machine instructions each PTX instruction stands for, 0 for what the assembler folds
// into others. The one idea: the assembler's main rewritings, found on definitions and uses.
import type { Graph } from './graph.ts'
import type { FlatBody } from './inline.ts'
import type { MemoryMap } from './memory.ts'
import type { Func, Module } from './syntax.ts'

export function costsOf(_module: Module, _entry: Func, body: FlatBody, _graph: Graph, _memory: MemoryMap): Uint8Array {
  return Uint8Array.from(body.instructions, (s) => (s.opcode.name === 'mov' || s.opcode.name === 'cvta' || (s.opcode.name === 'ld' && s.opcode.mods[0] === 'param') ? 0 : 1))
}
