import type { AsOf } from '#events/contract/endpoint.ts'
import type { z } from 'zod'
import type { ShownVolume } from './snapshotAt.ts'

/** The time of the oldest state among these volumes of a snapshot of `now`, as part of an answer; empty for other snapshots. */
export function asOf(volumes: readonly Pick<ShownVolume, 'asOf'>[]): z.infer<typeof AsOf> {
  const times = volumes.flatMap(({ asOf = [] }) => asOf)
  return times.length > 0 ? { asOf: Math.min(...times) } : {}
}
