import type { SimulatedRequest } from '#agent/actions/simulator/server.ts'

/** A call with the variable segments of its path. */
export type Call = SimulatedRequest & { params: string[] }
