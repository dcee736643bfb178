import { liveOff } from '#events/feeds/liveState.ts'
import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { dashboard } from '#events/dashboard.ts'
import { eventLog } from '#events/event-log/calls.ts'
import { jobs } from '#events/jobs/calls.ts'
import { scanPaths } from '#events/scans/calls.ts'
import { fileStorages } from '#events/sources/fileStorages.ts'
import { storages } from '#events/storages.ts'
import { live } from '#client/app/live/live.state.ts'
import {
  dashboardWith,
  fileStorage,
  jobDetails,
  jobRow,
  runningScan,
  scanTask,
  storageSize,
} from '#client/testing/examples.ts'
import { answer, pageWith, refuse } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import { address, cellsOf, defaultAnswers, listOf, nothing, rows } from '#client/jobs/testing.ts'

const page = { startCursor: null, endCursor: null, hasNextPage: false, hasPreviousPage: false, indexingDate: null }
const pageOfStorages = { ...page, size: 500, sort: 'NAME', direction: 'asc' } as const

test('an empty list says so below the tabs of the settings', async () => {
  const { person } = await open('/settings/jobs', { answers: [listOf(), nothing] })
  await person.see('There are no jobs yet.')
  expect(screen.queryByRole('button', { name: 'Cancel Jobs' })).toBeNull()
  const tab = screen.getByRole('link', { name: 'Jobs' })
  expect([tab.getAttribute('href'), tab.getAttribute('aria-current')]).toEqual(['/settings/jobs', 'page'])
  expect(screen.getByRole('link', { name: 'Add storage' }).getAttribute('href')).toBe('/settings/data')
})

test('the countdown is shown while the page polls, and not while it is live', async () => {
  const { person } = await open('/settings/jobs', { answers: [listOf(jobRow(7)), nothing] })
  await rows()
  await person.seeNo(/will be refreshed/)
  live.phase = 'offline'
  await person.see(/The content of this page will be refreshed in \d+ seconds?/)
  live.phase = 'live'
  await person.seeNo(/will be refreshed/)
})

test('a user who sees only their own jobs reads that none of those exist', async () => {
  const { person } = await open('/settings/jobs', { roles: ['ROLE_PROJECT_MANAGER'], answers: [listOf(), nothing] })
  await person.see('None of your jobs are here yet. Only administrators see the jobs of other users.')
  await person.seeNo('There are no jobs yet.')
  expect(screen.queryByRole('button', { name: 'Cancel Jobs' })).toBeNull()
})

test('a list that cannot be read says why, and is read again', async () => {
  const { person, api } = await open('/settings/jobs', {
    answers: [refuse(jobs.list, { message: 'Postgres cannot be reached' }, 503), nothing],
  })
  await person.see('Postgres cannot be reached')
  api.answer(listOf(jobRow(7)))
  await person.press('Retry')
  expect(await rows()).toHaveLength(1)
})

test('a running scan shows its phase, speed and place, and moves with what the server pushes', async () => {
  const scan = runningScan({ jobId: 7 })
  const { person, live } = await open('/settings/jobs', {
    answers: [listOf(jobRow(7, { status: 'RUNNING' })), answer(dashboard, dashboardWith({ scans: [scan] }))],
    live: { dashboard: dashboardWith({ scans: [scan], storages: [storageSize(1, { numberOfFiles: 998 })] }) },
  })
  await person.see(/Running1 job/)
  await person.see(/Reading the storage[^]*Entries\/s250[^]*project_7/)
  await person.see('about 50.0 %')
  await person.seeNo('in flight')
  const pace = { inFlight: 213, latencyMs: 1.8 }
  const progress = { ...scan.progress!, entries: 750, currentPath: '/project_8', pace }
  live.send('dashboard', { type: 'scanProgressed', scanId: 1, jobId: 7, taskId: 7, progress })
  await person.see('about 75.0 %')
  await person.see('project_8213 lookups in flight, 1.8 ms each')
  live.send('jobs', { type: 'jobs', jobs: [jobRow(7, { version: 9 })] })
  await person.seeNo('Reading the storage')
  await waitFor(async () => expect(cellsOf((await rows())[0])[8]).toBe('Success'))
})

test('a job is cancelled once that is confirmed', async () => {
  const running = jobRow(7, { status: 'RUNNING' })
  const { person, api } = await open('/settings/jobs', {
    answers: [
      ...defaultAnswers,
      listOf(running),
      answer(jobs.change, jobDetails(7, { status: 'CANCELLED', version: 9 })),
    ],
  })
  const cancel = (await rows())[0]
  const pressCancel = async () => person.pressAt(within(cancel!).getByRole('button', { name: 'Cancel job 7' }))
  await pressCancel()
  await person.see('Are you sure you want to remove from queue the job with id 7?')
  await person.press('Cancel')
  await person.closed()
  expect(api.inputs(jobs.change)).toEqual([])
  await pressCancel()
  await person.press('Remove job')
  await person.see('Job was cancelled successfully')
  expect(api.inputs(jobs.change)).toMatchObject([{ params: { id: 7 }, body: { status: 'CANCELLED' } }])
  await waitFor(async () => expect(cellsOf((await rows())[0])[8]).toBe('Cancelled'))
})

test('a user with limits controls only own jobs', async () => {
  const limits = { projects: [], storages: [{ id: 3, name: 'Films' }], folders: 0, version: 'a' }
  await open('/settings/jobs', {
    roles: ['ROLE_PROJECT_MANAGER'],
    user: { limits },
    answers: [listOf(jobRow(8, { status: 'RUNNING' }), jobRow(7, { status: 'RUNNING', limits: 'a' })), nothing],
  })
  await rows()
  expect(screen.queryAllByRole('button', { name: 'Cancel job 8' })).toEqual([])
  expect(screen.getAllByRole('button', { name: 'Cancel job 7' }).length).toBeGreaterThan(0)
})

test('jobs are paused and resumed from their row, and a refusal is shown', async () => {
  const { person, api } = await open('/settings/jobs', {
    answers: [
      nothing,
      listOf(jobRow(7, { status: 'RUNNING' }), jobRow(6, { status: 'WAITING' })),
      answer(jobs.change, ({ params }) => jobDetails(params.id, { status: 'WAITING', version: 9 })),
    ],
  })
  const [first, second] = await rows()
  await person.pressAt(within(first!).getByRole('button', { name: 'Pause job 7' }))
  await waitFor(() => expect(api.inputs(jobs.change)).toMatchObject([{ body: { status: 'WAITING' } }]))
  api.answer(refuse(jobs.change, { message: 'Job 6 is over' }, 409))
  await person.pressAt(within(second!).getByRole('button', { name: 'Resume job 6' }))
  await person.see('Job 6 is over')
})

test('waiting and running jobs are cancelled all at once', async () => {
  const { person, api } = await open('/settings/jobs', {
    answers: [nothing, listOf(jobRow(7, { status: 'RUNNING' })), answer(jobs.cancelAll, { cancelled: 1 })],
  })
  await person.press('Cancel Jobs')
  expect(await person.isDisabled('Cancel jobs')).toBe(true)
  await person.press('Waiting jobs', 'checkbox')
  await person.press('Running jobs', 'checkbox')
  await person.press('Cancel jobs')
  await person.see('All the jobs were cancelled successfully.')
  expect(api.inputs(jobs.cancelAll).map(({ query }) => query)).toEqual([{ status: 'WAITING' }, { status: 'RUNNING' }])
})

test('a scan that failed is started again with the storages that failed, and the folder that it was limited to', async () => {
  const payload = { volumes: [2], storageIdToPath: { 2: '/later' }, cloneIndex: true }
  const failed = jobDetails(7, { status: 'FAILURE', payload, tasks: [scanTask(7, 2, { status: 'FAILURE' })] })
  const { person, api } = await open('/settings/jobs', {
    answers: [
      nothing,
      listOf(jobRow(7, { status: 'FAILURE', payload })),
      answer(jobs.one, failed),
      answer(fileStorages.list, pageWith([fileStorage(2, 'Away'), fileStorage(1, 'Films')])),
      answer(scanPaths, { jobId: 8 }),
    ],
  })
  await person.press('Relaunch job 7')
  await person.see('1 of 2 storages selected')
  const boxes = within(screen.getByRole('dialog')).getAllByRole<HTMLInputElement>('checkbox', { name: /Away|Films/ })
  expect(boxes.map(({ checked }) => checked)).toEqual([true, false])
  await person.see('/mnt/away · only /later')
  await person.press('Away', 'checkbox')
  expect(await person.isDisabled('Scan 0 storages')).toBe(true)
  await person.press('Away', 'checkbox')
  await person.press('Scan 1 storage')
  await person.see('Scanner for the job(s) is now running. You can monitor the job(s) by clicking here')
  await person.closed()
  expect(api.inputs(scanPaths)).toMatchObject([
    { query: { cloneIndex: true }, body: { storageIdToPath: { 2: '/later' } } },
  ])
})

test('a scan of all storages is started again with those that failed, of every kind', async () => {
  const failing = { status: 'SCANNER_ERROR' } as const
  const tasks = [scanTask(7, 2, failing), scanTask(8, 3, failing), scanTask(9, 4, failing), scanTask(10, 5, failing)]
  const stats = { capacityUsed: null, capacityTotal: null, capacityFree: null, fileSystem: null }
  const facts = { stats, live: liveOff, account: null, createdAt: '2026-01-01T12:00:00.000Z' }
  const ofKind = (id: number, name: string, type: string) => ({ id, name, type, ...facts })
  const elements = [
    ofKind(1, 'Films', 'crawl.files'),
    ofKind(2, 'Away', 'NetworkVolume'),
    ofKind(3, 'Isilon', 'DellPowerScale'),
    ofKind(4, 'Tapes', 'Archiware'),
    ofKind(5, 'Cloud', 'AWS-S3'),
  ]
  const { person, api } = await open('/settings/jobs', {
    answers: [
      nothing,
      listOf(jobRow(7, failing)),
      answer(jobs.one, jobDetails(7, { ...failing, tasks })),
      answer(fileStorages.list, pageWith([fileStorage(2, 'Away'), fileStorage(1, 'Films')])),
      answer(storages, { ...pageOfStorages, elements }),
      answer(scanPaths, { jobId: 8 }),
    ],
  })
  await person.press('Relaunch job 7')
  await person.see('4 of 5 storages selected')
  await person.press('Scan 4 storages')
  await person.closed()
  expect(api.inputs(scanPaths)).toMatchObject([{ body: { storageIdToPath: { 2: '', 3: '', 4: '', 5: '' } } }])
})

test('a job that failed leads to its failures in the event log', async () => {
  const reason = 'Gave up after 5 attempts; the last one failed: disk full'
  const failed = jobDetails(4, { status: 'SCANNER_ERROR', result: { reason } })
  const { person } = await open('/settings/jobs?id=4', {
    answers: [...defaultAnswers, listOf(jobRow(4)), answer(jobs.one, failed)],
  })
  await person.see(reason)
  const link = screen.getByRole('link', { name: 'Show each failure in the event log' })
  const { pathname, searchParams } = new URL((link as HTMLAnchorElement).href)
  expect([pathname, searchParams.get('stream')]).toEqual(['/event-log', 'job-4'])
  expect(searchParams.getAll('type')).toEqual(expect.arrayContaining(['TaskFailed', 'TaskLost', 'TaskGivenUp']))
})

test('an address opens the dialog of its job, with its result, its tasks and its events', async () => {
  const storages = [
    { id: 1, name: 'Films' },
    { id: 2, name: 'Music' },
  ]
  const failed = jobDetails(4, {
    status: 'WARNING',
    storages,
    storageCount: 2,
    result: { failedScanVolumeSettings: [{ id: 2, reason: 'not mounted' }], note: 'All of it was scanned' },
    tasks: [
      scanTask(11, 1, { result: { files: 1_204, folders: 30, bytes: 1_024 } }),
      scanTask(12, 2, { status: 'FAILURE', result: { reason: 'not mounted' } }),
    ],
  })
  const succeeded = {
    position: 9,
    stream: 'job-4',
    version: 4,
    type: 'TaskSucceeded',
    actor: 'system',
    address: null,
    at: '2026-03-01T10:01:00.000Z',
    data: { type: 'TaskSucceeded', at: '2026-03-01T10:01:00.000Z', taskId: 11, result: {} },
    task: { type: 'SCAN_VOLUMES' as const, storage: 'Films' },
  }
  const { person } = await open('/settings/jobs?id=4', {
    answers: [
      ...defaultAnswers,
      listOf(jobRow(4)),
      answer(jobs.one, failed),
      answer(eventLog.list, { elements: [succeeded], next: null, newest: 9 }),
    ],
  })
  await person.see('Job 4 · Scan On-Premises')
  const outcome = await screen.findByRole('region', { name: 'Outcome' })
  expect(outcome.textContent).toBe('WarningScan of Films and 1 more ended with a warning.Music: not mounted')
  const storageRows = within(screen.getByRole('grid', { name: 'Storages' }))
    .getAllByRole('row')
    .slice(1)
  expect(storageRows.map((row) => cellsOf(row).slice(0, 3))).toEqual([
    ['Music', 'Failure', 'not mounted'],
    ['Films', 'Success', '1,204 files, 30 folders, 1.00 KiB'],
  ])
  expect(screen.getByText('Technical details').closest('details')?.open).toBe(false)
  await person.see('1 - Built-in agent')
  for (const text of ['failedScanVolumeSettings', 'All of it was scanned']) await person.see(text)
  await person.press('Tasks 2', 'tab')
  await person.see('Task Details · 12 Scan storages')
  await person.see('not mounted')
  await person.press('Events 4', 'tab')
  await person.see('Scan of Films succeeded')
  await person.keys('{Escape}')
  await person.closed()
  expect(address()).toBe('/settings/jobs')
})

test.each(['99', 'nonsense'])(
  'the address of job %s, which does not exist, says so and leaves the list',
  async (id) => {
    const { person } = await open(`/settings/jobs?id=${id}`, {
      answers: [...defaultAnswers, listOf(jobRow(4)), refuse(jobs.one, { message: 'There is no job 99' }, 404)],
    })
    await person.see(`Error while getting job with id [${id}]`)
    await waitFor(() => expect(address()).toBe('/settings/jobs'))
    await person.see('Scan On-Premises')
  },
)

test('users who may start some jobs cannot relaunch scans, and users who may start none see no jobs', async () => {
  const answers = [nothing, listOf(jobRow(7, { status: 'FAILURE' }), jobRow(6, { status: 'RUNNING' }))]
  await open('/settings/jobs', { roles: ['ROLE_ICONIK_UPLOAD'], answers })
  expect(await screen.findAllByRole('button', { name: 'Cancel job 6' })).toHaveLength(2)
  expect(screen.queryByRole('button', { name: 'Relaunch job 7' })).toBeNull()
  const { person, api } = await open('/settings/jobs', { roles: [], answers })
  await person.see('Only users who can start jobs can view them.')
  expect(api.inputs(jobs.list)).toEqual([])
})
