import type { JobRow } from '#events/jobs/calls.ts'

/** Jobs show less than 100 % until they have ended. */
export const almostAll = 0.99

/** Progress from the result of a job, such as one that adds tags. */
export function shareOfResult({ result }: Pick<JobRow, 'result'>): number | undefined {
  if (!result?.toTag) return undefined
  return Math.min(almostAll, (result.tagged ?? 0) / result.toTag)
}
