import { z } from 'zod'

/** Lookups that a scan of a file system may have in flight unless its storage says otherwise. */
export const usualLookups = 256
/** The same for requests of a service, such as an object store. Its storage can only lower them. */
export const usualRequests = 64

const wholeNumber = (max: number) => {
  const range = `must be a whole number from 1 to ${max}`
  return z.int(range).min(1, range).max(max, range)
}

const timeText = 'must be a time such as 07:30'
/** A time of day in the time zone of the server: '07:30'. */
const TimeOfDay = z.string(timeText).regex(/^([01]\d|2[0-3]):[0-5]\d$/, timeText)

const paceWith = (limits: { usual: number; max: number }) =>
  z.object({
    maxLookups: wholeNumber(limits.max).default(limits.usual),
    maxEntriesPerSecond: wholeNumber(10_000_000).nullable().default(null),
    maxMediaFilesPerSecond: wholeNumber(10_000).nullish(),
    quietHours: z
      .object({ from: TimeOfDay, to: TimeOfDay, maxLookups: wholeNumber(limits.max) })
      .nullable()
      .default(null),
  })

/**
 * The pace that a scan of a storage keeps to. `maxLookups` are lookups of a file system, or requests of a service. Fewer are allowed in the
 * quiet hours, which may include midnight. Without `maxEntriesPerSecond` the entries per second are not limited. `maxMediaFilesPerSecond` replaces
 * it where the data in media files is read.
 */
export const Pace = paceWith({ usual: usualLookups, max: 1_024 })
export type Pace = z.infer<typeof Pace>

/** The fault of quiet hours, by field. */
function checkQuietHours({ maxLookups, quietHours }: Pace, { addIssue }: z.RefinementCtx): void {
  if (!quietHours) return
  const issue = (field: string, message: string) => addIssue({ code: 'custom', path: ['quietHours', field], message })
  if (quietHours.from === quietHours.to) issue('to', 'must be a different time than From')
  if (quietHours.maxLookups > maxLookups)
    issue('maxLookups', `must be at most ${maxLookups}, the limit outside quiet hours`)
}

/** Pace of a folder or a share; null keeps the default limits. */
export const PaceOfLookups = Pace.superRefine(checkQuietHours).nullable().default(null)

/** Pace of a bucket, a cluster or an archive; null keeps the default limits. */
export const PaceOfRequests = paceWith({ usual: usualRequests, max: usualRequests })
  .superRefine(checkQuietHours)
  .nullable()
  .default(null)

/** Pace of a scan at a moment: lookups or requests in flight, and milliseconds until one is answered. */
export const MeasuredPace = z.object({ inFlight: z.int().min(0), latencyMs: z.number().min(0) })
export type MeasuredPace = z.infer<typeof MeasuredPace>
