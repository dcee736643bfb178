import { type Answer, answered, refused } from '#agent/simulator/answers.ts'
import { listOf, spelling } from '../answers.ts'
import type { P5 } from '../contents/p5.ts'
import { doneBytes, isOver, type Job } from '../jobs/jobs.ts'
import type { Call } from './call.ts'

const running = ['started', 'running', 'stopped']

const filters: Record<string, (job: Job) => boolean> = {
  all: () => true,
  failed: ({ completion, status }) => completion === 'failure' || status === 'terminated',
  warning: ({ completion }) => completion === 'exception' || completion === 'warning',
  completed: ({ status }) => status === 'completed',
  running: ({ status }) => running.includes(status),
  pending: ({ status }) => status === 'scheduled' || status === 'pending',
}

/** `GET general/jobs`: jobs since midnight (UTC), or since the midnight of `lastdays` days before. */
export function listJobs({ jobs, clock }: P5, call: Call): Answer {
  const filter = filters[call.parameter('filter') ?? 'all']
  const lastDays = Number(call.parameter('lastdays') ?? 0)
  if (!filter || !Number.isInteger(lastDays) || lastDays < 0) throw refused(500, 'Invalid filter or lastdays')
  const since = new Date(clock.now()).setUTCHours(0, 0, 0, 0) - lastDays * 86_400_000
  const listed = jobs.all().filter((job) => job.createdAt >= since && filter(job))
  return listOf(
    'general',
    'jobs',
    listed.map(({ id }) => id),
  )
}

/** `GET general/jobs/{id}`. `completion` and the totals appear at the end. */
export function jobDetails(p5: P5, call: Call): Answer {
  const { behavior } = p5
  const job = jobOf(p5, call)
  const { number } = spelling(behavior)
  const done = job.files.filter(({ result }) => result === 'done')
  const texts = { label: job.kind, description: job.kind, [behavior.titleField]: job.title }
  return answered({
    ID: job.id,
    status: job.status,
    ...(job.completion ? { completion: job.completion } : {}),
    ...texts,
    totalfiles: number(done.length),
    totalkbytes: number(Math.ceil(doneBytes(job) / 1_024)),
    links: [],
  })
}

/** `GET general/jobs/{id}/report`. */
export const jobReport = (p5: P5, call: Call): Answer => ({
  status: 200,
  body: `${jobOf(p5, call).report.join('\n')}\n`,
})

/** `GET general/jobs/{id}/protocol`, with the header `format`, of whose values only `json` is simulated. Its shape is our own: no public source shows one. */
export function jobProtocol(p5: P5, call: Call): Answer {
  const { id, files } = jobOf(p5, call)
  if (call.parameter('format') !== 'json') throw refused(500, 'Invalid format')
  return answered({ protocol: { job: id, files: files.map(({ path, result, error }) => ({ path, result, error })) } })
}

/** `DELETE general/jobs/{id}`: cancels a running job. */
export function cancelJob(p5: P5, call: Call): Answer {
  const job = jobOf(p5, call)
  if (isOver(job) || job.status === 'scheduled') throw refused(500, `Job ${job.id} is not running`)
  p5.jobs.cancel(job)
  return answered({})
}

function jobOf({ jobs }: P5, { params }: Call): Job {
  const job = jobs.get(params[0] ?? '')
  if (!job) throw refused(404, {})
  return job
}
