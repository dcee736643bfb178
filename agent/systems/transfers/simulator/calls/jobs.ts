import { type Answer, answered, jsonIn } from '#agent/simulator/answers.ts'
import { type Call, notFound, refused } from '../answers.ts'
import type { Service } from '../contents/service.ts'
import { countOf, isOver, type Job, JobRequest } from '../jobs/job.ts'
import { cancelJob, runJob } from '../jobs/runJob.ts'
import { isInvalidPath, isTargetInSource } from '../jobs/targets.ts'
import type { Readings } from '../unconfirmed.ts'

/** `POST /jobs`. A key that was used before returns its job, and a key with another body is refused. */
export function createJob(service: Service, { headers, body }: Call): Answer {
  const { jobs, readings } = service
  if (!/^application\/(vnd\.api\+)?json(;|$)/.test(headers['content-type'] ?? ''))
    throw refused(415, 'Unsupported Media Type')
  const key = headers['idempotency-key']
  if (typeof key !== 'string' || key === '') throw refused(400, 'Bad Request', 'Idempotency-Key')
  const known = readings.honorsIdempotencyKey ? jobs.keys.get(key) : undefined
  if (known && known.body !== body) throw refused(409, 'Conflict', 'The key was used for another job')
  if (known) return answered({ data: { id: known.id } }, 201)
  const request = requestOf(body)
  checkRequest(service, request)
  const job = jobs.create(request)
  jobs.keys.set(key, { body, id: job.id })
  runJob(service, job)
  return answered({ data: { id: job.id } }, 201)
}

function requestOf(body: string): JobRequest {
  const json = jsonIn(body)
  if (json === undefined) throw refused(400, 'Bad Request', 'The body is not JSON')
  const parsed = JobRequest.safeParse(json)
  if (parsed.success) return parsed.data
  throw refused(422, 'Unprocessable Entity', parsed.error.issues[0]?.path.join('.') || 'body')
}

function checkRequest({ storages, readings }: Service, request: JobRequest): void {
  const refuse = (detail: string): never => {
    throw refused(422, 'Unprocessable Entity', detail)
  }
  const { sources, target } = request
  if (sources.length > readings.maxSources) refuse('Too many sources')
  if (new Set(sources.map(({ storageId }) => storageId)).size > 1) refuse('Sources of several storages')
  const unknown = [target, ...sources].find(({ storageId }) => !storages.has(storageId))
  if (unknown) refuse(`Unknown storage ${unknown.storageId}`)
  if (!target.isDirectory) refuse('The target is not a folder')
  const invalid = [target, ...sources].find(({ path }) => isInvalidPath(path))
  if (invalid) refuse(`Invalid path ${invalid.path}`)
  if (isTargetInSource(request)) refuse('The target is inside a source')
}

/** `GET /jobs`, with `filter[reference]`. */
export function listJobs({ jobs, readings }: Service, { query }: Call): Answer {
  const reference = query.get('filter[reference]')
  if (reference !== null && readings.referenceFilter === 'refused')
    throw refused(400, 'Bad Request', 'filter[reference]')
  const isFiltered = reference !== null && readings.referenceFilter === 'applied'
  const found = jobs.all().filter((job) => !isFiltered || job.reference === reference)
  return answered({ data: found.map((job) => resourceOf(job, readings)) })
}

/** `GET /jobs/{id}`. */
export const jobDetails = (service: Service, call: Call): Answer =>
  answered({ data: resourceOf(jobOf(service, call), service.readings) })

/** `POST /jobs/{id}/cancel`. */
export function cancel(service: Service, call: Call): Answer {
  const job = jobOf(service, call)
  if (isOver(job)) throw refused(409, 'Conflict', `The job is ${job.state}`)
  cancelJob(service, job)
  return answered({ data: { id: job.id } }, 202)
}

/** Job of a call. Throws the answer for an unknown one. */
export function jobOf({ jobs }: Service, { params: [id = ''] }: Call): Job {
  const job = jobs.get(id)
  if (!job) throw notFound('job', id)
  return job
}

function resourceOf(job: Job, { stateWords, skippedFiles }: Readings): object {
  const { id, name, reference, state, phase, files, bytesDone, message, script } = job
  const counted = files.filter(({ result }) => result !== 'skipped' || skippedFiles === 'done')
  const skipped = skippedFiles === 'done' ? countOf(job, 'skipped') : 0
  const word = state === 'RUNNING' && script.stateWord !== undefined ? script.stateWord : (stateWords[state] ?? state)
  return {
    id,
    attributes: {
      name,
      reference,
      state: word,
      phase: phase ?? null,
      filesTotal: counted.length,
      filesDone: countOf(job, 'copied', 'moved') + skipped,
      filesFailed: countOf(job, 'failed', 'source kept'),
      bytesTotal: counted.reduce((sum, { size }) => sum + size, 0),
      bytesDone,
      message,
    },
  }
}
