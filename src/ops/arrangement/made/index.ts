// Operations made by Tesela from arrangement.c. Not written by hand: change that and build again.
export { flipRows, type FlipRowsArguments, type FlipRowsResults } from './flipRows.js'
export { depthToSpace2, type DepthToSpace2Arguments, type DepthToSpace2Results } from './depthToSpace2.js'
export { spaceToDepth2, type SpaceToDepth2Arguments, type SpaceToDepth2Results } from './spaceToDepth2.js'
export { lowerTriangle, type LowerTriangleArguments, type LowerTriangleResults } from './lowerTriangle.js'
export { reverse, type ReverseArguments, type ReverseResults } from './reverse.js'
export { roll, type RollArguments, type RollResults } from './roll.js'
export { repeat, type RepeatArguments, type RepeatResults } from './repeat.js'
export { outer, type OuterArguments, type OuterResults } from './outer.js'
