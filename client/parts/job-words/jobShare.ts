import type { JobRow } from '#events/jobs/calls.ts'

/** What is done is done when its job has ended, not before: until then less than all. */
export const almostAll = 0.99

/** How far a job is that tells it in its result, such as one that tags. */
export function shareOfResult({ result }: Pick<JobRow, 'result'>): number | undefined {
  if (!result?.toTag) return undefined
  return Math.min(almostAll, (result.tagged ?? 0) / result.toTag)
}
