import type { Cluster } from '../cluster.ts'
import { json, noContent, refused } from '../errors.ts'
import { bodyOf, checkFields, objectOf } from '../fields.ts'
import { pageOf } from '../pages.ts'
import { type Job, phaseCount } from './jobs.ts'
import type { Route } from './route.ts'

const type = 'ChangelistCreate'
const needs = 'ISI_PRIV_JOB_ENGINE'

export const jobRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: 'job/jobs',
    needs,
    isLicensed: true,
    answer({ cluster, request }) {
      const body = bodyOf(request, {
        type: 'string',
        allow_dup: 'boolean?',
        policy: 'string?',
        priority: 'integer?',
        changelistcreate_params: 'object?',
      })
      if (String(body['type']).toLowerCase() !== type.toLowerCase())
        throw refused('AEC_BAD_REQUEST', `Unknown job type '${String(body['type'])}'.`, 'type')
      const { allow_dup: allowsDuplicates = false, policy = 'LOW', priority = 5 } = body
      const common = { policy: String(policy), priority: Number(priority), allowsDuplicates: allowsDuplicates === true }
      const { id } = cluster.jobs.create({ ...common, ...snapshotIds(cluster, body['changelistcreate_params']) })
      return json(201, { id })
    },
  },
  {
    method: 'GET',
    path: 'job/jobs',
    needs,
    query: ['state', 'sort', 'dir', 'limit'],
    answer({ cluster, query }) {
      const { page, resume, total } = pageOf(cluster.tokens, { query, list: 'jobs', limit: 1_000 }, (options) =>
        cluster.jobs
          .listed()
          .filter((job) => (options.get('state') ?? cluster.jobs.stateOf(job)) === cluster.jobs.stateOf(job)),
      )
      return json(200, { jobs: page.map((job) => fieldsOf(cluster, job)), resume, total })
    },
  },
  {
    method: 'GET',
    path: 'job/jobs/:id',
    needs,
    answer: ({ cluster, params }) => json(200, { jobs: [fieldsOf(cluster, jobOf(cluster, params))] }),
  },
  {
    method: 'PUT',
    path: 'job/jobs/:id',
    needs,
    answer({ cluster, request, params }) {
      const { state } = bodyOf(request, { state: 'string' })
      cluster.jobs.control(jobOf(cluster, params), String(state))
      return noContent
    },
  },
  {
    method: 'GET',
    path: 'job/types',
    needs,
    query: ['sort', 'dir', 'show_all'],
    answer({ cluster: { switches } }) {
      const allowed = { allow_multiple_instances: false, exclusion_set: '', hidden: false }
      const kind = { id: type, description: 'Create a list of changes between two snapshots', ...allowed }
      return json(200, {
        types: [{ ...kind, enabled: switches.isChangelistJobEnabled, priority: 5, policy: 'LOW', schedule: null }],
      })
    },
  },
  {
    method: 'GET',
    path: 'job/reports',
    needs,
    query: ['job_type', 'job_id', 'begin', 'end', 'limit'],
    answer({ cluster, query }) {
      const { page, resume, total } = pageOf(cluster.tokens, { query, list: 'reports', limit: 1_000 }, (options) =>
        finishedJobs(cluster).filter(
          ({ id }) =>
            (options.get('job_type') ?? type).toLowerCase() === type.toLowerCase() &&
            (options.get('job_id') ?? String(id)) === String(id),
        ),
      )
      return json(200, { reports: page.map((job) => reportOf(cluster, job)), resume, total })
    },
  },
  {
    method: 'GET',
    path: 'job/recent',
    needs,
    since: 3,
    query: ['timeout_ms', 'limit'],
    answer: ({ cluster }) => json(200, { recent: finishedJobs(cluster).map((job) => fieldsOf(cluster, job)) }),
  },
]

/** Finished jobs, newest first. */
const finishedJobs = ({ jobs }: Cluster): Job[] =>
  jobs
    .all()
    .filter(({ ended }) => ended !== undefined)
    .toReversed()

function snapshotIds({ snapshots }: Cluster, value: unknown): { olderId: number; newerId: number } {
  if (value === undefined) throw refused('AEC_ARG_REQUIRED', 'changelistcreate_params is required.')
  const params = objectOf(value)
  checkFields(params, {
    older_snapid: 'integer',
    newer_snapid: 'integer',
    retain_repstate: 'boolean?',
    create_diffs: 'boolean?',
  })
  const [older, newer] = ['older_snapid', 'newer_snapid'].map((name) => {
    const snapshot = snapshots.findActive(Number(params[name]))
    if (!snapshot) throw refused('AEC_BAD_REQUEST', `Snapshot ${String(params[name])} does not exist.`, name)
    return snapshot
  })
  if (!older || !newer || older.path !== newer.path || older.id >= newer.id)
    throw refused('AEC_BAD_REQUEST', 'Both snapshots must be of the same path, the older one first.')
  return { olderId: older.id, newerId: newer.id }
}

function jobOf({ jobs }: Cluster, [id = '']: readonly string[]): Job {
  const job = jobs.listed().find((job) => String(job.id) === id)
  if (job === undefined) throw refused('AEC_NOT_FOUND', `Job ${id} not found.`)
  return job
}

function fieldsOf({ jobs, clock, switches }: Cluster, job: Job): object {
  const isWaiting = jobs.isWaiting(job)
  const [running] = jobs.all().filter(({ ended }) => ended === undefined)
  const started = isWaiting ? null : job.created + switches.jobWait
  const phase = jobs.phaseOf(job)
  return {
    id: job.id,
    type,
    state: jobs.stateOf(job),
    control_state: jobs.stateOf(job),
    policy: job.policy,
    impact: 'Low',
    priority: job.priority,
    progress: isWaiting ? '' : `Processed ${Math.max(0, job.worked - switches.jobWait) * 1_000} LINs`,
    current_phase: phase,
    total_phases: phaseCount,
    waiting_on: isWaiting ? (running === job ? 301 : (running?.id ?? null)) : null,
    waiting_reason: isWaiting ? 'Waiting for a job of a higher priority or in the same exclusion set' : null,
    create_time: job.created,
    start_time: started,
    end_time: job.ended ?? null,
    running_time: started === null ? 0 : (job.ended ?? clock.now()) - started,
    retries_remaining: 0,
    participants: [1, 2],
    human_desc: `Changelist of snapshots ${job.olderId} and ${job.newerId}`,
    changelistcreate_params: { older_snapid: job.olderId, newer_snapid: job.newerId, retain_repstate: false },
  }
}

function reportOf({ jobs }: Cluster, job: Job): object {
  const results = job.reason ? `Errors: 1\n${job.reason}` : 'Errors: 0'
  const plain = { id: `${job.id}.${phaseCount}`, job_id: job.id, job_type: type, phase: phaseCount, time: job.ended }
  return { ...plain, state: jobs.stateOf(job), results }
}
