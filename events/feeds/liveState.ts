import { z } from 'zod'

/** `UNAVAILABLE` if changes of a storage should be followed and can't be; `reason` says why, and what to do, in one line. */
export const liveStates = ['LIVE', 'OFF', 'UNAVAILABLE'] as const

/** Changes that a scan found and the feed before it had not reported: entries that differ from the live state. */
export const Missed = z.object({ scanId: z.int(), entries: z.int().min(0) })

/** State of following a storage between its scans. */
export const LiveState = z.object({
  state: z.enum(liveStates),
  reason: z.string().nullable(),
  /** All changes since then were seen, apart from those that no feed sees. Null unless the state is LIVE. */
  since: z.iso.datetime().nullable(),
  /** Milliseconds since the oldest change that is known and not yet shown; 0 if all are. Null unless the state is LIVE. */
  behindMs: z.number().min(0).nullable(),
  /** Of the last scan that ended while the storage was live; null before. */
  missed: Missed.nullable(),
})
export type LiveState = z.infer<typeof LiveState>

/** The state of a storage that isn't followed. */
export const liveOff: LiveState = { state: 'OFF', reason: null, since: null, behindMs: null, missed: null }
