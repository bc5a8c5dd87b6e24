// The flags of a launch as text: what they give, and the text that gives something else. All else in it stays as it is.

const gridFlag = /--grid[ =](\S+)/

/**
 * The launch of a kernel that came without one: some workgroups along each axis that its workgroups have, a thousand
 * invocations or so a side.
 */
export function firstLaunch(text: string): string {
  const [sides = ''] = /(?<=@workgroup_size\s*\()[^)]*/.exec(text) ?? [],
    axes = sides.split(',').filter((side) => side.trim() !== '' && side.trim() !== '1').length
  return `--grid ${Array.from({ length: Math.max(1, axes) }, () => (axes > 2 ? 16 : 64)).join(',')}`
}

/** The flag that gives `name`, by itself or as a member's own name. */
export function argumentFlag(options: string, name: string): string | null {
  const given = [...options.matchAll(/--arg[ =](\S+?)=(\S+)/g)]
  const own = given.find(([, n]) => n === name) ?? given.find(([, n]) => name.endsWith(`.${n}`))
  return own?.[0] ?? null
}

/** The grid that flags give, three numbers of it. */
export function gridIn(options: string): readonly string[] {
  const given = gridFlag.exec(options)?.[1]?.split(',') ?? []
  return [0, 1, 2].map((i) => given[i] ?? '1')
}

/** The flags with another grid. */
export function withGrid(options: string, grid: readonly (string | number)[]): string {
  const flag = `--grid ${grid.join(',').replace(/(,1)+$/, '')}`
  return gridFlag.test(options) ? options.replace(gridFlag, flag) : `${options} ${flag}`.trim()
}

/** The flags with another value of an integer. */
export function withArgument(options: string, name: string, value: string): string {
  const flag = `--arg ${name}=${value}`,
    before = argumentFlag(options, name)
  return before === null ? `${options} ${flag}`.trim() : options.replace(before, flag)
}
