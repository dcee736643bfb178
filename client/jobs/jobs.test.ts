import { expect, test } from 'vitest'
import type { LoggedEvent } from '#events/event-log/calls.ts'
import type { JobDetails, JobRow } from '#events/jobs/calls.ts'
import type { JobEvent, Task } from '#events/jobs/events.ts'
import { CallError } from '#client/app/call.ts'
import { foldRows, newestOf, runningOf } from '#client/app/live/jobRows.ts'
import { toastOf } from './actions/cancelJobs.ts'
import { failedFirst } from './dialog/failedFirst.ts'
import { waitingText } from './dialog/TasksTab.tsx'
import { jobDuration } from './JobDuration.tsx'
import { foldEvents, withoutDoubles } from '#client/parts/followed-job/jobHistory.ts'
import { noFilter, readJobsAddress, withJobsAddress } from './list/jobsAddress.ts'
import { canRelaunch, foldersToRelaunch, storagesToRelaunch } from './actions/relaunch.ts'

const noon = '2026-11-21T12:00:00.000Z'
const later = '2026-11-21T12:03:08.000Z'

const row = (id: number, version: number, more: Partial<JobRow> = {}): JobRow => ({
  id,
  version,
  type: 'SCAN_ON_PREMISES',
  status: 'NEW',
  serverId: 1,
  agentName: 'Built-in agent',
  userId: 1,
  createdAt: noon,
  startedAt: null,
  updatedAt: noon,
  payload: { volumes: [id], cloneIndex: true },
  result: null,
  storages: [],
  storageCount: 0,
  ...more,
})

const task = (id: number, status: Task['status'], volumes: number[], more: Partial<Task> = {}): Task => ({
  id,
  type: 'SCAN_VOLUMES',
  serverId: 1,
  status,
  attempt: 1,
  tries: 1,
  lapses: 0,
  payload: { volumes, cloneIndex: true, scanId: id },
  result: null,
  createdAt: noon,
  startedAt: noon,
  updatedAt: later,
  ...more,
})

test('a relaunch selects failed, paused and unstarted tasks: for a warning its failed storages, else those of the task', () => {
  const warned = { failedScanVolumeSettings: [{ id: 22, reason: '1 path could not be read' }] }
  const tasks = [
    task(1, 'SUCCESS', [11]),
    task(2, 'WARNING', [21, 22], { result: warned }),
    task(3, 'FAILURE', [31]),
    task(4, 'NEW', [4]),
    task(5, 'CANCELLED', [51]),
    task(6, 'RUNNING', [61]),
    task(7, 'SCANNER_ERROR', [71, 31]),
    task(8, 'WAITING', [81]),
    task(9, 'AVAILABLE', [91]),
  ]
  expect(storagesToRelaunch(tasks)).toEqual([4, 22, 31, 71, 81, 91])
})

test('a relaunch only scans the folders that the job was limited to', () => {
  const payload = { volumes: [1, 2], storageIdToPath: { 2: '/films' }, cloneIndex: true }
  expect(foldersToRelaunch({ type: 'SCAN_ON_PREMISES', payload })).toEqual({ 2: '/films' })
  expect(foldersToRelaunch(row(1, 1))).toEqual({})
})

test('only a scan of file storages that waits, failed or left something out can be relaunched', () => {
  const statuses = ['NEW', 'AVAILABLE', 'WAITING', 'WARNING', 'RUNNING', 'SUCCESS', 'SCANNER_ERROR', 'FAILURE'] as const
  const can = statuses.filter((status) => canRelaunch({ type: 'SCAN_ON_PREMISES', status }))
  expect(can).toEqual(['WAITING', 'WARNING', 'SCANNER_ERROR', 'FAILURE'])
  expect(canRelaunch({ type: 'TAG_SEARCH_RESULT', status: 'FAILURE' })).toBe(false)
})

test('a task in a queue says for which agent it waits, and when that is not connected', () => {
  const names = new Map([[2, 'Archive']])
  const text = (status: Task['status'], isActive: boolean) =>
    waitingText({ status, serverId: 2 }, names, [{ id: 2, isActive }])
  expect(text('AVAILABLE', true)).toBe('Waiting for Archive to start it')
  expect(text('AVAILABLE', false)).toBe('Waiting for Archive, which is not connected')
  expect(text('RUNNING', false)).toBeUndefined()
  expect(waitingText({ status: 'AVAILABLE', serverId: 3 }, names, [])).toBeUndefined()
})

test('time elapses while a job is new or running; then it stops, and without a start there is none', () => {
  const timed = { startedAt: noon, updatedAt: later }
  expect(jobDuration({ ...timed, status: 'RUNNING' })).toEqual({ since: noon })
  expect(jobDuration({ ...timed, status: 'NEW' })).toEqual({ since: noon })
  expect(jobDuration({ ...timed, status: 'WAITING' })).toEqual({ took: 188_000 })
  expect(jobDuration({ ...timed, status: 'SUCCESS' })).toEqual({ took: 188_000 })
  expect(jobDuration({ ...timed, status: 'NEW', startedAt: null })).toBeUndefined()
})

test('the higher version of two rows of a job counts, in any order', () => {
  const known = foldRows(new Map(), [row(1, 3, { status: 'RUNNING' }), row(2, 1)])
  const folded = foldRows(known, [row(1, 2), row(2, 5, { status: 'SUCCESS' }), row(2, 4)])
  expect([...folded.values()].map(({ id, version }) => [id, version])).toEqual([
    [1, 3],
    [2, 5],
  ])
  expect(foldRows(folded, [row(1, 3), row(2, 1)])).toBe(folded)
  expect(newestOf(row(2, 9), folded).version).toBe(9)
  expect(newestOf(row(2, 4), folded).version).toBe(5)
})

test('running jobs are listed in the order in which they started', () => {
  const rows = [
    row(1, 1, { status: 'RUNNING', startedAt: later }),
    row(2, 1),
    row(3, 1, { status: 'RUNNING', startedAt: noon }),
  ]
  expect(runningOf(rows).map(({ id }) => id)).toEqual([3, 1])
})

test('failed tasks are listed before running ones, and those before successful ones', () => {
  const tasks = [task(1, 'SUCCESS', []), task(2, 'RUNNING', []), task(3, 'WARNING', []), task(4, 'FAILURE', [])]
  expect(failedFirst(tasks).map(({ id }) => id)).toEqual([4, 3, 2, 1])
})

const logged = (version: number, event: JobEvent): LoggedEvent => ({
  position: version,
  stream: 'job-1',
  version,
  type: event.type,
  actor: 'ana',
  address: null,
  at: event.at,
  data: event,
})

test('a job is folded from its events; one that was missed makes it be read again', () => {
  const job: JobDetails = { ...row(1, 2), tasks: [task(7, 'NEW', [1], { startedAt: null })] }
  const started = logged(3, { type: 'TaskStarted', at: later, taskId: 7, attempt: 1 })
  const cancelled = logged(5, { type: 'TaskCancelled', at: later, taskId: 7, by: 'ana' })
  const followed = foldEvents({ job, events: [], gaps: 0 }, [started, started])
  expect(followed).toMatchObject({ job: { status: 'RUNNING', version: 3, agentName: 'Built-in agent' }, gaps: 0 })
  expect(foldEvents(followed, [cancelled])).toMatchObject({ job: { status: 'RUNNING', version: 3 }, gaps: 1 })
  expect(withoutDoubles([started, cancelled, started]).map(({ version }) => version)).toEqual([5, 3])
})

test('the address holds what differs from the usual list, and another order begins at its first page', () => {
  const address = (change: Parameters<typeof withJobsAddress>[1], from = '') =>
    withJobsAddress(new URLSearchParams(from), change).toString()
  expect(address({ page: 3 }, 'date=2026-11-01')).toBe('date=2026-11-01&page=3')
  expect(address({ sort: { field: 'status', direction: 'asc' } }, 'page=3')).toBe('sort=status&direction=asc')
  expect(address({ sort: { field: 'id', direction: 'desc' } }, 'sort=status&direction=asc')).toBe('')
  expect(address({ types: ['TAG_SEARCH_RESULT'] }, 'page=3&id=4')).toBe('id=4&types=TAG_SEARCH_RESULT')
  expect(address({ types: [] })).toBe('types=')
  expect(address({ id: undefined }, 'id=4&page=2')).toBe('page=2')
  expect(address({ statuses: ['FAILURE'], agents: [2], period: '24h' }, 'page=3')).toBe(
    'statuses=FAILURE&agents=2&time=24h',
  )
  expect(address({ agents: [] })).toBe('agents=')
  expect(address({ from: '2026-11-01', to: '2026-11-07' })).toBe('from=2026-11-01&to=2026-11-07')
  expect(address(noFilter, 'types=&agents=2&time=7d&id=4')).toBe('id=4')
})

test('an address that says nothing sensible shows the usual list', () => {
  const read = (search: string) => readJobsAddress(new URLSearchParams(search))
  const defaults = { id: undefined, page: 1, sort: { field: 'id', direction: 'desc' }, ...noFilter }
  expect(read('')).toEqual(defaults)
  expect(read('page=-2&sort=result&direction=up')).toEqual(defaults)
  expect(read('time=2h&from=yesterday&statuses=DONE').from).toBeUndefined()
  expect(read('time=24h&from=2026-11-01')).toMatchObject({ period: '24h', from: undefined })
  expect(read('agents=').agents).toEqual([])
  expect(read('types=').types).toEqual([])
  expect(read('types=NONSENSE&types=SCAN_CLOUD').types).toEqual(['SCAN_CLOUD'])
})

test('the result of canceling all jobs is reported in one message', () => {
  const down = { error: new CallError(503, 'The database is down') }
  const wordless = { error: new CallError(500, 'Error while cancelling all the jobs') }
  expect([
    toastOf({ WAITING: {}, RUNNING: {} }),
    toastOf({ WAITING: {}, RUNNING: down }),
    toastOf({ WAITING: wordless, RUNNING: wordless }),
    toastOf({ WAITING: down, RUNNING: down }),
    toastOf({ RUNNING: {} }),
    toastOf({ RUNNING: wordless }),
    toastOf({ WAITING: {} }),
    toastOf({ WAITING: wordless }),
  ]).toEqual([
    { kind: 'success', message: 'All the jobs were cancelled successfully.' },
    {
      kind: 'warning',
      message: 'Error while cancelling the running jobs. The waiting jobs were cancelled successfully',
    },
    { kind: 'danger', message: 'Error while cancelling all the jobs' },
    { kind: 'danger', message: 'The database is down' },
    { kind: 'success', message: 'Running jobs were cancelled successfully.' },
    { kind: 'danger', message: 'Error while cancelling running jobs' },
    { kind: 'success', message: 'Waiting jobs were cancelled successfully' },
    { kind: 'danger', message: 'Error while cancelling waiting jobs' },
  ])
})
