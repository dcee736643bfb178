import { z } from 'zod'
import { isActive, type Snapshot } from './snapshots.ts'

/**
 * Snapshot that the next delta starts from. `days` is its expiry when it was made. `links`: the snapshot has no hard links, or the
 * cluster is known to name each path of a file that changed.
 */
const Baseline = z.object({
  host: z.string(),
  path: z.string(),
  id: z.string(),
  days: z.number(),
  links: z.enum(['none', 'each']).optional(),
})
export type Baseline = z.infer<typeof Baseline>

export const writeBaseline = (baseline: Baseline): string => JSON.stringify(baseline)

/** Reads a baseline; undefined for an invalid text. A digest of rules may precede it. */
export function readBaseline(text: string | undefined): Baseline | undefined {
  try {
    return Baseline.parse(JSON.parse((text ?? '').slice(text?.indexOf('{'))))
  } catch {
    return undefined
  }
}

/** True if the snapshot of a baseline still exists. IDs of another cluster may be the same. */
export const isUsable = (snapshot: Snapshot | undefined, { path }: Baseline): snapshot is Snapshot =>
  snapshot !== undefined &&
  isActive(snapshot) &&
  snapshot.path === path &&
  snapshot.name?.startsWith('dataintell-') === true
