import { fieldsOf } from '#events/jobs/taskResults.ts'
import type { JobRow } from '#events/jobs/calls.ts'

/** Jobs show less than 100 % until they have ended. */
export const almostAll = 0.99

/** Progress from the result of a job, such as one that adds tags. */
export function shareOfResult({ result }: Pick<JobRow, 'result'>): number | undefined {
  const { tagged = 0, toTag = 0 } = fieldsOf(result)
  return toTag === 0 ? undefined : Math.min(almostAll, tagged / toTag)
}
