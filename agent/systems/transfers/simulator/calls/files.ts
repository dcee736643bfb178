import type { Answer } from '#agent/simulator/answers.ts'
import { type Call, notFound, paged, pageSize, refused } from '../answers.ts'
import { type Service, storageOf } from '../contents/service.ts'
import type { Job, JobFile } from '../jobs/job.ts'
import { jobOf } from './jobs.ts'

const states: Record<JobFile['result'], 'WAITING' | 'COPIED' | 'SKIPPED' | 'FAILED'> = {
  waiting: 'WAITING',
  copied: 'COPIED',
  moved: 'COPIED',
  skipped: 'SKIPPED',
  failed: 'FAILED',
  'source kept': 'FAILED',
}

/** `GET /jobs/{id}/files`: one page of the files of a job. */
export function jobFiles(service: Service, call: Call): Answer {
  const { readings } = service
  const job = jobOf(service, call)
  if (readings.fileList === 'absent') throw notFound('path', call.path)
  const size = pageSize(call, readings)
  const after = call.query.get('page[after]') ?? '0'
  if (!/^\d+$/.test(after)) throw refused(400, 'Bad Request', 'page[after]')
  const end = Number(after) + size
  const hasNextPage = job.files.length > end
  const data = job.files.slice(Number(after), end).map((file, i) => resourceOf(service, job, file, Number(after) + i))
  return paged(call, readings, { data, endCursor: hasNextPage ? String(end) : null, hasNextPage })
}

/** The size and the checksum are those of the file at the target, which is the existing one if the source was skipped. */
function resourceOf(service: Service, job: Job, file: JobFile, index: number): object {
  const { source, target, result, error } = file
  const existing = storageOf(service, job.target.storageId).tree.get(target)
  // The source of a file that a move copied and did not delete is still there.
  const isUnfinished = result === 'copied' && job.transferType === 'MOVE'
  return {
    id: `${job.id}-${index + 1}`,
    attributes: {
      source,
      target,
      state: isUnfinished ? 'FAILED' : states[result],
      message: error ?? (isUnfinished ? 'The source was not deleted' : ''),
      size: existing?.size ?? null,
      checksum: (service.readings.checksums === 'md5' && existing?.checksum) || null,
    },
  }
}
