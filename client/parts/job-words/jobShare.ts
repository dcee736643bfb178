import { fieldsOf } from '#events/jobs/taskResults.ts'
import type { JobRow } from '#events/jobs/calls.ts'

/** Jobs show less than 100 % until they have ended. */
export const almostAll = 0.99

/** Progress from the result of a job, such as one that adds tags or that acts on files. The larger share of files or bytes counts. */
export function shareOfResult({ result }: Pick<JobRow, 'result'>): number | undefined {
  const { tagged = 0, toTag = 0, toDo = 0, done = 0, failed = 0, bytesToDo = 0, bytesDone = 0 } = fieldsOf(result)
  if (toTag > 0) return Math.min(almostAll, tagged / toTag)
  if (toDo === 0) return undefined
  return Math.min(almostAll, Math.max((done + failed) / toDo, bytesToDo === 0 ? 0 : bytesDone / bytesToDo))
}
