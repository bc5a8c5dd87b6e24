// Operations made by Tesela from solvers.c. Not written by hand: change that and build again.
export { residual, type ResidualArguments, type ResidualResults } from './residual.js'
export { conjugateStep, type ConjugateStepArguments, type ConjugateStepResults } from './conjugateStep.js'
export { conjugateDirection, type ConjugateDirectionArguments, type ConjugateDirectionResults } from './conjugateDirection.js'
export { dot, type DotArguments, type DotResults } from './dot.js'
export { poisson, type PoissonArguments, type PoissonResults } from './poisson.js'
export { tridiagonalSolve, type TridiagonalSolveArguments, type TridiagonalSolveResults } from './tridiagonalSolve.js'
