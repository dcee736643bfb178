import type { SimulatedRequest } from '#agent/simulator/simulate.ts'

/** A call with the variable segments of its path. */
export type Call = SimulatedRequest & { params: string[] }
