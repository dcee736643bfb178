import { z } from 'zod'
import { JobPayload, TaskPayload, TaskResult } from './job-payloads.ts'
import { jobTypes } from './job-types.ts'

export const jobStatuses = [
  'NEW',
  'AVAILABLE',
  'WAITING',
  'WARNING',
  'RUNNING',
  'SUCCESS',
  'SCANNER_ERROR',
  'FAILURE',
  'CANCELLED',
] as const
export type JobStatus = (typeof jobStatuses)[number]

export const taskTypes = ['SCAN_VOLUMES', 'TAG_ENTRIES'] as const

const at = z.iso.datetime()
const taskId = z.int()

/** Everything that can happen to a job and its tasks, in the stream `job-<id>`. */
export const JobEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('JobQueued'),
    at,
    jobId: z.int(),
    jobType: z.enum(jobTypes),
    serverId: z.int(),
    payload: JobPayload,
  }),
  z.object({
    type: z.literal('TaskQueued'),
    at,
    taskId,
    taskType: z.enum(taskTypes),
    serverId: z.int(),
    payload: TaskPayload,
  }),
  z.object({ type: z.literal('TaskStarted'), at, taskId, attempt: z.int() }),
  z.object({ type: z.literal('TaskCommitting'), at, taskId }),
  z.object({ type: z.literal('TaskProgressed'), at, taskId, result: TaskResult }),
  z.object({ type: z.literal('TaskSucceeded'), at, taskId, result: TaskResult }),
  /** Ended with parts left out, such as folders that could not be read. */
  z.object({ type: z.literal('TaskWarned'), at, taskId, result: TaskResult }),
  z.object({ type: z.literal('TaskFailed'), at, taskId, reason: z.string() }),
  z.object({ type: z.literal('TaskCancelled'), at, taskId, by: z.string() }),
])
export type JobEvent = z.infer<typeof JobEvent>

export const Task = z.object({
  id: z.int(),
  type: z.enum(taskTypes),
  serverId: z.int(),
  status: z.enum(jobStatuses),
  attempt: z.int(),
  payload: TaskPayload,
  result: TaskResult.nullable(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  updatedAt: z.string(),
})
export type Task = z.infer<typeof Task>

export const JobResult = z.object({ failedScanVolumeSettings: z.array(z.object({ id: z.int(), reason: z.string() })) })

export const Job = z.object({
  id: z.int(),
  type: z.enum(jobTypes),
  status: z.enum(jobStatuses),
  serverId: z.int(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  updatedAt: z.string(),
  payload: JobPayload,
  result: JobResult.nullable(),
  tasks: z.array(Task),
})
export type Job = z.infer<typeof Job>

/** The version of `evolve`, written with each event; a projection folded by another version is rebuilt at start. */
export const evolveVersion = 1

/** The only place where a job's state is worked out: the server and the browser both fold with it. */
export function evolve(job: Job | undefined, event: JobEvent): Job {
  if (event.type === 'JobQueued') return newJob(event)
  if (!job) throw new Error(`A job begins with JobQueued, not with ${event.type}`)
  switch (event.type) {
    case 'TaskQueued':
      return settle({ ...job, tasks: [...job.tasks, newTask(event)] }, event.at)
    case 'TaskStarted':
      return withTask(job, event, (task) => ({
        status: 'RUNNING',
        startedAt: task.startedAt ?? event.at,
        attempt: event.attempt,
      }))
    case 'TaskCommitting':
      return withTask(job, event, () => ({}))
    case 'TaskProgressed':
      return withTask(job, event, () => ({ result: event.result }))
    case 'TaskSucceeded':
      return withTask(job, event, () => ({ status: 'SUCCESS', result: event.result }))
    case 'TaskWarned':
      return withTask(job, event, () => ({ status: 'WARNING', result: event.result }))
    case 'TaskFailed':
      return withTask(job, event, () => ({ status: 'FAILURE', result: { reason: event.reason } }))
    case 'TaskCancelled':
      return withTask(job, event, () => ({ status: 'CANCELLED' }))
  }
}

const open: readonly JobStatus[] = ['NEW', 'AVAILABLE', 'WAITING', 'RUNNING']
/** Whether a job or task can still change. */
export const isOpen = ({ status }: { status: JobStatus }): boolean => open.includes(status)

type Of<T extends JobEvent['type']> = Extract<JobEvent, { type: T }>

const newJob = (event: Of<'JobQueued'>): Job => ({
  id: event.jobId,
  type: event.jobType,
  status: 'NEW',
  serverId: event.serverId,
  createdAt: event.at,
  startedAt: null,
  updatedAt: event.at,
  payload: event.payload,
  result: null,
  tasks: [],
})

const newTask = (event: Of<'TaskQueued'>): Task => ({
  id: event.taskId,
  type: event.taskType,
  serverId: event.serverId,
  status: 'NEW',
  attempt: 0,
  payload: event.payload,
  result: null,
  createdAt: event.at,
  startedAt: null,
  updatedAt: event.at,
})

function withTask(job: Job, event: { taskId: number; at: string }, change: (task: Task) => Partial<Task>): Job {
  const tasks = job.tasks.map((task) =>
    task.id === event.taskId ? { ...task, ...change(task), updatedAt: event.at } : task,
  )
  return settle({ ...job, tasks }, event.at)
}

/** A job is what its tasks are: running while one is open, and as good as the mixture of their ends. */
function settle(job: Job, at: string): Job {
  const status = statusOf(job.tasks)
  const failed = job.tasks.filter(({ status }) => status === 'FAILURE')
  return {
    ...job,
    status,
    updatedAt: at,
    startedAt: job.startedAt ?? job.tasks.find((task) => task.startedAt)?.startedAt ?? null,
    result: failed.length === 0 ? null : { failedScanVolumeSettings: failed.flatMap(failuresOf) },
  }
}

const failuresOf = ({ payload, result }: Task) =>
  'volumes' in payload ? payload.volumes.map((id) => ({ id, reason: result?.reason ?? 'unknown' })) : []

function statusOf(tasks: Task[]): JobStatus {
  const is = (status: JobStatus) => tasks.some((task) => task.status === status)
  const all = (status: JobStatus) => tasks.every((task) => task.status === status)
  if (tasks.length === 0 || all('NEW')) return 'NEW'
  if (tasks.some(isOpen)) return 'RUNNING'
  if (all('SUCCESS')) return 'SUCCESS'
  if (all('FAILURE')) return 'FAILURE'
  return is('CANCELLED') && !is('FAILURE') && !is('WARNING') ? 'CANCELLED' : 'WARNING'
}
