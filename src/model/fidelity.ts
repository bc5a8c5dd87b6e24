// The model's published error, by GPU. Made by bench/model/fidelity.ts from the readings in bench/data; see
// docs/fidelity.md.

/** Mean absolute error of predicted times on kernels that the model was not fitted on. */
export interface Fidelity {
  /** Percent. */
  readonly mape: number
  /** Launches measured. */
  readonly kernels: number
}

const known: Readonly<Record<string, Fidelity>> = { h200: { mape: 11.0, kernels: 292 } }

/** The error on the GPU of that name; null where nothing was measured. */
export const fidelityOf = (gpu: string): Fidelity | null => known[gpu] ?? null
