import type { Clock } from '#agent/simulator/clock.ts'
import type { Behavior } from '../behavior.ts'
import type { Readings } from '../unconfirmed.ts'

/** Parts that all contents need. */
export type Base = { clock: Clock; behavior: Behavior; readings: Readings; newId: () => string }

/** Current time of the simulator, in the form of the API. */
export const isoTime = ({ clock }: Pick<Base, 'clock'>): string => new Date(clock.now()).toISOString()
