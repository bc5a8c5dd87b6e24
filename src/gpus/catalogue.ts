// In: a name as people write it. Out: the profile. The one idea: profiles are data files, listed once here, with the
// names of products and generations as aliases.
import { fail, nearest } from '../base/index.ts'
import type { GpuProfile } from './profile.ts'
import { ada } from './profiles/nvidia/ada.ts'
import { appleM1, appleM2 } from './profiles/apple.ts'
import { ampere } from './profiles/nvidia/ampere.ts'
import { blackwell } from './profiles/nvidia/blackwell.ts'
import { cdna3 } from './profiles/cdna3.ts'
import { fermi } from './profiles/nvidia/fermi.ts'
import { g80 } from './profiles/nvidia/g80.ts'
import { ga102 } from './profiles/nvidia/ga102.ts'
import { gb202 } from './profiles/nvidia/gb202.ts'
import { gp102 } from './profiles/nvidia/gp102.ts'
import { gt200 } from './profiles/nvidia/gt200.ts'
import { h100 } from './profiles/nvidia/h100.ts'
import { h100Sxm } from './profiles/nvidia/h100-sxm.ts'
import { h200 } from './profiles/nvidia/h200.ts'
import { gen9, xeHpg } from './profiles/intel.ts'
import { kepler } from './profiles/nvidia/kepler.ts'
import { maxwell } from './profiles/nvidia/maxwell.ts'
import { adreno, mali } from './profiles/mobile.ts'
import { pascal } from './profiles/nvidia/pascal.ts'
import { rdna2, rdna3 } from './profiles/rdna.ts'
import { turing } from './profiles/nvidia/turing.ts'
import { volta } from './profiles/nvidia/volta.ts'

/** NVIDIA oldest first, then the others. */
const profiles: readonly GpuProfile[] = [
  g80,
  gt200,
  fermi,
  kepler,
  maxwell,
  pascal,
  gp102,
  volta,
  turing,
  ampere,
  ga102,
  ada,
  h100,
  h100Sxm,
  h200,
  blackwell,
  gb202,
  rdna2,
  rdna3,
  cdna3,
  appleM1,
  appleM2,
  gen9,
  xeHpg,
  mali,
  adreno,
]

/** One of each vendor and kind, for judging what must run anywhere. */
export const portable: readonly GpuProfile[] = [h200, cdna3, rdna2, appleM1, xeHpg, mali, adreno]

const aliases: Readonly<Record<string, string>> = {
  tesla: 'gt200',
  gtx280: 'gt200',
  c2050: 'fermi',
  k40: 'kepler',
  gtx980: 'maxwell',
  p100: 'pascal',
  gtx1080ti: 'gp102',
  v100: 'volta',
  rtx2080ti: 'turing',
  a100: 'ampere',
  rtx3090: 'ga102',
  l40: 'ada',
  hopper: 'h200',
  b200: 'blackwell',
  rtx5090: 'gb202',
  rx6900xt: 'rdna2',
  rx7900xtx: 'rdna3',
  mi300x: 'cdna3',
  mi300: 'cdna3',
  m1: 'apple-m1',
  m2: 'apple-m2',
  apple: 'apple-m1',
  gen9: 'intel-gen9',
  uhd630: 'intel-gen9',
  xe: 'intel-xe',
  arc: 'intel-xe',
  a770: 'intel-xe',
  mali: 'mali-g78',
  g78: 'mali-g78',
  adreno: 'adreno-740',
}

/** Names of all profiles. */
export const gpuNames = (): readonly string[] => profiles.map((profile) => profile.name)

/**
 * The profile called `name` (case, spaces and dashes do not matter; product names are aliases). Throws a
 * `DiagnosticError`.
 */
export function gpu(name: string): GpuProfile {
  const key = name.toLowerCase().replace(/[\s_-]/g, '')
  const wanted = Object.hasOwn(aliases, key) ? aliases[key] : key
  const profile = profiles.find((p) => p.name === wanted || p.name.replace(/-/g, '') === wanted)
  if (profile) return profile
  const near = nearest(key, [...gpuNames(), ...Object.keys(aliases)])
  return fail(
    'gpu.unknown',
    `no GPU profile is called '${name.slice(0, 40)}'`,
    undefined,
    `${near ? `did you mean ${near}? ` : ''}known: ${gpuNames().join(', ')}`,
  )
}

/**
 * The profile of a device that names itself (`NVIDIA H200`, `ampere`): the longest name or alias that its words spell;
 * nothing where there is none.
 */
export function gpuIn(text: string): GpuProfile | null {
  const words = text.toLowerCase().split(/[^a-z0-9]+/)
  const spelled = new Set(words.flatMap((_, i) => [1, 2, 3].map((n) => words.slice(i, i + n).join(''))))
  const names = [...profiles.map((p) => p.name), ...Object.keys(aliases)].filter((name) =>
    spelled.has(name.replace(/-/g, '')),
  )
  const longest = names.reduce((a, b) => (b.length > a.length ? b : a), '')
  return longest === '' ? null : gpu(longest)
}
