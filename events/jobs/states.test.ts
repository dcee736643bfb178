import { expect, test } from 'vitest'
import { type JobStatus, jobStatuses, nextStatuses, statusOf } from './states.ts'
import { type JobEvent, type Task, evolve, isEventAllowed, statusAfter } from './events.ts'

const at = '2026-01-01T00:00:00.000Z'
const payload = { volumes: [1], cloneIndex: true }

/** A job whose only task has this status. */
function jobOf(status: JobStatus) {
  const queued = evolve(undefined, {
    type: 'JobQueued',
    at,
    jobId: 1,
    jobType: 'SCAN_ON_PREMISES',
    serverId: 1,
    payload,
  })
  const task = { id: 1, taskType: 'SCAN_VOLUMES', serverId: 1, payload: { ...payload, scanId: 1 } } as const
  const job = evolve(queued, { type: 'TaskQueued', at, taskId: 1, ...task })
  return { ...job, status, tasks: job.tasks.map((task): Task => ({ ...task, status })) }
}
const change = { at, taskId: 1, attempt: 1, reason: 'why', by: 'ana', result: {} }
const events = Object.keys(statusAfter).map(
  (type) => ({ type, ...change }) as JobEvent & { type: keyof typeof statusAfter },
)
const pairs = jobStatuses.flatMap((from) => events.map((event) => [from, statusAfter[event.type], event] as const))

const byTable = pairs.filter(([, , { type }]) => type !== 'TaskDispatched')

test.each(byTable)('from %s to %s only as the table says', (from, to, event) => {
  expect(isEventAllowed(jobOf(from), event)).toBe(nextStatuses[from].includes(to))
})

test.each(pairs)('from %s to %s, the fold continues with any log', (from, to, event) => {
  expect(evolve(jobOf(from), event)).toMatchObject({ status: to, tasks: [{ status: to }] })
})

test('final statuses do not change, all open ones can be cancelled, and paused tasks only run after a resume', () => {
  const ends = jobStatuses.filter((status) => nextStatuses[status].length === 0)
  expect(ends).toEqual(['WARNING', 'SUCCESS', 'SCANNER_ERROR', 'FAILURE', 'CANCELLED'])
  const open = jobStatuses.filter((status) => !ends.includes(status))
  expect(open.filter((status) => nextStatuses[status].includes('CANCELLED'))).toEqual(open)
  expect(nextStatuses.WAITING).not.toContain('RUNNING')
})

test('an event of a newer version, which this one does not know, changes nothing', () => {
  const unknown = { type: 'TaskDelayed', at, taskId: 1, until: at } as unknown as JobEvent
  expect(evolve(jobOf('RUNNING'), unknown)).toEqual(jobOf('RUNNING'))
})

test('a task that was started or paused before its dispatch is recorded stays so', () => {
  const dispatched = { type: 'TaskDispatched', at, taskId: 1 } as const
  expect(jobStatuses.filter((status) => isEventAllowed(jobOf(status), dispatched))).toEqual(['NEW'])
})

test('events of unknown tasks, and queueing a task again, are not allowed', () => {
  expect(isEventAllowed(jobOf('RUNNING'), { type: 'TaskStarted', at, taskId: 2, attempt: 1 })).toBe(false)
  const queued = { type: 'JobQueued', at, jobId: 1, jobType: 'SCAN_ON_PREMISES', serverId: 1, payload } as const
  expect(isEventAllowed(jobOf('NEW'), queued)).toBe(false)
})

const mixtures: [JobStatus[], JobStatus][] = [
  [[], 'NEW'],
  [['NEW', 'NEW'], 'NEW'],
  [['NEW', 'AVAILABLE'], 'AVAILABLE'],
  [['SUCCESS', 'NEW'], 'AVAILABLE'],
  [['SUCCESS', 'WAITING'], 'WAITING'],
  [['RUNNING', 'WAITING', 'FAILURE'], 'RUNNING'],
  [['SUCCESS', 'SUCCESS'], 'SUCCESS'],
  [['SUCCESS', 'FAILURE'], 'WARNING'],
  [['WARNING', 'SUCCESS'], 'WARNING'],
  [['FAILURE', 'FAILURE'], 'FAILURE'],
  [['FAILURE', 'SCANNER_ERROR'], 'FAILURE'],
  [['SCANNER_ERROR', 'SCANNER_ERROR'], 'SCANNER_ERROR'],
  [['SCANNER_ERROR', 'SUCCESS'], 'WARNING'],
  [['CANCELLED', 'SUCCESS', 'FAILURE'], 'CANCELLED'],
]
test.each(mixtures)('tasks that are %j make a job that is %s', (tasks, job) => {
  expect(statusOf(tasks.map((status) => ({ status })))).toBe(job)
})
