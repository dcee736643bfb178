import { z } from 'zod'

/** Parts that all calls have that start scans. */
export const launch = { method: 'POST', needs: 'scans.start', failure: 'Unable to start the scan' } as const
export const launched = z.object({ jobId: z.int() })
export const cloneIndex = z.stringbool().default(true)
/** A delta scan needs the index that it changes. */
export const deltaQuery = (isDefault: boolean) =>
  z
    .object({ cloneIndex, isDeltaScan: z.stringbool().default(isDefault) })
    .transform(({ cloneIndex, isDeltaScan }) => ({ cloneIndex: cloneIndex || isDeltaScan, isDeltaScan }))

export const ids = (what: string) => z.array(z.int().min(1)).min(1, `must name at least one ${what}`).max(10_000)
