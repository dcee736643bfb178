import { z } from 'zod'

/** Lookups, or requests of an object store, that a scan may have in flight unless its storage says otherwise. */
export const usualLookups = 256

const Lookups = z.int().min(1).max(1_024)
/** A time of day in the time zone of the server: '07:30'. */
const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 07:30')

/**
 * The pace that a scan of a storage keeps to. Fewer lookups are allowed in the quiet hours, which may include midnight.
 * Without `maxEntriesPerSecond` the entries per second are not limited.
 */
export const Pace = z.object({
  maxLookups: Lookups.default(usualLookups),
  maxEntriesPerSecond: z.int().min(1).max(10_000_000).nullable().default(null),
  quietHours: z.object({ from: TimeOfDay, to: TimeOfDay, maxLookups: Lookups }).nullable().default(null),
})
export type Pace = z.infer<typeof Pace>

/** Pace of a scan at a moment: lookups or requests in flight, and milliseconds until one is answered. */
export const MeasuredPace = z.object({ inFlight: z.int().min(0), latencyMs: z.number().min(0) })
export type MeasuredPace = z.infer<typeof MeasuredPace>
