import { screen, waitFor } from '@testing-library/dom'
import { afterEach, expect, test, vi } from 'vitest'
import { type AgentInfo, agentInfos } from '#events/agents.ts'
import { dashboard } from '#events/dashboard.ts'
import { jobs } from '#events/jobs/calls.ts'
import { mostActiveProjects } from '#events/projects/calls.ts'
import { type CheckedReport, reportChecks } from '#events/reports/runs.ts'
import { type ActiveVolume, mostActiveVolumes } from '#events/storages.ts'
import { currentUserInfo, loginInfo } from '#events/users/session.ts'
import { wallFolders, wallGrowth, WallOptions, wallOptions, wallSignIn } from '#events/wall.ts'
import { dashboardWith, jobRow, storageSize, today } from '#client/testing/examples.ts'
import { answer, type FakeAnswer, hold, pageWith, refuse } from '#client/testing/fakeApi.ts'
import { open, type Options } from '#client/testing/render.tsx'

const films = storageSize(1, { name: 'Films of the north', fileSystem: 'north' })
const signIn = [answer(loginInfo, { loginUrl: '/login', singleSignOn: false }), answer(wallSignIn, { name: 'Lobby' })]
const defaultAnswers: FakeAnswer[] = [
  ...signIn,
  answer(dashboard, dashboardWith({ storages: [films] })),
  answer(jobs.list, pageWith([])),
  answer(agentInfos, []),
  answer(wallGrowth, []),
  answer(mostActiveVolumes, []),
  answer(mostActiveProjects, []),
  answer(reportChecks, []),
  answer(wallFolders, []),
  answer(wallOptions, WallOptions.parse({})),
]
const openWall = (query: string, answers: FakeAnswer[] = [], live: Options['live'] = {}) =>
  open(`/wall?${query}&every=300`, {
    answers: [...defaultAnswers, ...answers],
    live: { dashboard: dashboardWith({ storages: [films] }), ...live },
  })

const title = () => screen.queryByRole('heading', { level: 1 })?.textContent
const seeBoard = (board: string) => waitFor(() => expect(title()).toBe(board))
const isFramed = () => document.querySelector('[data-framed]')?.getAttribute('data-framed')
/** Text of the current board, without the one fading out. */
const board = () => document.querySelector('[data-leaving="false"]')?.textContent
const boardSays = (words: string | RegExp) => waitFor(() => expect(board()).toMatch(words))

afterEach(() => vi.restoreAllMocks())

test('a wall takes its token out of the address, and names boards that it does not know', async () => {
  const { person, api } = await openWall('token=secret&boards=capacity,globe,jobs&scheme=dark')
  await seeBoard('Capacity')
  await person.see('Unknown board left out: globe')
  expect(location.search).toBe('?boards=capacity%2Cglobe%2Cjobs&scheme=dark&every=300')
  expect(document.documentElement.dataset['mantineColorScheme']).toBe('dark')
  expect(api.inputs(wallSignIn)).toMatchObject([{ body: { token: 'secret' } }])
})

test('boards without data say what there is none of', async () => {
  const nothing = dashboardWith({ indexingDate: null })
  const { person } = await openWall('boards=capacity,jobs,growth,map,agents', [], { dashboard: nothing })
  await boardSays('No storage scanned yet')
  await person.see('No snapshot yet')
  const words = {
    Jobs: 'No failures or warnings in 24 h and no running jobs',
    Growth: /Growth appears after the second snapshot.*No storage changed in 30 days/,
    Map: 'No storage scanned yet',
    Agents: /Active agents1 \/ 1only the built-in agent.*ActiveBuilt-in agentIdle/,
  }
  for (const [name, expected] of Object.entries(words)) {
    await person.keys('{ArrowRight}')
    await seeBoard(name)
    await boardSays(expected)
  }
})

test('boards whose data has not arrived do not say that there is nothing', async () => {
  const calls = [dashboard, jobs.list, agentInfos, wallGrowth, mostActiveVolumes, mostActiveProjects, reportChecks]
  const { person } = await openWall('boards=capacity,jobs,growth,map,agents', calls.map(hold), { dashboard: null })
  for (const name of ['Capacity', 'Jobs', 'Growth', 'Map', 'Agents']) {
    await seeBoard(name)
    await boardSays('Not known yet')
    expect(board()).not.toMatch(
      /scanned yet|changed in 30|second snapshot|nothing runs|No agents|only the built-in agent|No snapshot/,
    )
    const figures = [...document.querySelectorAll('[data-leaving="false"] dd')].map(({ textContent }) => textContent)
    expect(figures).not.toContain('0')
    await person.keys('{ArrowRight}')
  }
})

test('what a scan changes is shown while it happens, with storages of one disk below it', async () => {
  const { person, live } = await openWall('boards=capacity,map')
  await boardSays(/Films of the north50\.0 %1\.00 TiB of 2\.00 TiB/)
  await person.see(`Snapshot ${today}`)
  await person.see(/LiveLast event \d\d:\d\d:\d\d/)
  const others = Array.from({ length: 13 }, (_, i) =>
    storageSize(i + 2, { name: `Storage with quite a long name, number ${i}`, fileSystem: 'north' }),
  )
  live.send('dashboard', { type: 'dashboard', dashboard: dashboardWith({ storages: [films, ...others] }) })
  await boardSays(/14 storages on one disk50\.0 %.*and 7 more/)
  await boardSays('Films of the north1.00 GiB of files')
  await person.keys('{ArrowRight}')
  await boardSays(/14 storages on one disk50\.0 %/)
})

test('the map shows the largest folders of each storage, with the rest', async () => {
  const size = { sizeOfFiles: 2 ** 40 }
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 1_000, 700))
  const folders = [
    { name: 'projects', size: 2 ** 39 },
    { name: 'archive', size: 2 ** 38 },
  ]
  await openWall('boards=map', [answer(wallFolders, [{ volumeId: 1, folders }])], {
    dashboard: dashboardWith({ storages: [{ ...films, ...size }] }),
  })
  await boardSays(/Films of the north50\.0 %1\.00 TiB.*projects512 GiB.*256 GiB/)
  await boardSays('Other files256 GiB')
})

test('options of the settings apply where the address has none, and are followed', async () => {
  const options = WallOptions.parse({ boards: ['map', 'jobs'], every: 20, scheme: 'light' })
  const { person, api, live } = await openWall('scheme=dark', [answer(wallOptions, options)])
  await seeBoard('Map')
  await person.keys('{ArrowRight}')
  await seeBoard('Jobs')
  expect(document.documentElement.dataset['mantineColorScheme']).toBe('dark')
  api.answer(answer(wallOptions, { ...options, boards: ['agents'] }))
  live.send('changed', { type: 'changed', topics: ['wallTokens'] })
  await seeBoard('Agents')
})

test('the header has the product, the board and the time of day', async () => {
  const { person } = await openWall('boards=capacity')
  await boardSays('Films of the north')
  await person.see(/DataIntellCapacityLive.*\d\d:\d\d\d{4}-\d\d-\d\d/)
})

test('a job that fails brings its board forward, framed', async () => {
  const { live } = await openWall('boards=capacity,jobs')
  await boardSays('Films of the north')
  expect([title(), isFramed()]).toEqual(['Capacity', 'false'])
  const updatedAt = new Date().toISOString()
  const failed = jobRow(7, { version: 9, status: 'FAILURE', updatedAt, result: { reason: '/mnt/gone is not there' } })
  live.send('jobs', { type: 'jobs', jobs: [failed] })
  await seeBoard('Jobs')
  expect(isFramed()).toBe('true')
  await boardSays(/Failed in 24 h1.*FailedFilms\/mnt\/gone is not there/)
})

test('warnings of the last day are counted and listed after failures and running jobs', async () => {
  const updatedAt = new Date().toISOString()
  const warned = jobRow(7, { status: 'WARNING', updatedAt, result: { reason: '3 folders could not be read' } })
  const running = jobRow(8, { status: 'RUNNING', updatedAt, storages: [{ id: 2, name: 'Sounds' }] })
  const old = jobRow(6, { status: 'WARNING', updatedAt: `${today}T10:00:00.000Z` })
  await openWall('boards=jobs', [answer(jobs.list, pageWith([running, warned, old]))])
  await boardSays(/Failed in 24 h0Warnings in 24 h1Running1/)
  await boardSays(/Failures firstRunningSounds.*WarningFilms3 folders could not be read/)
  expect(board()).not.toMatch(/No failures|WarningFilms.*WarningFilms/)
})

test('disks that fill up within a year say when, and the first one is a figure', async () => {
  const forecast = { days: 12.4, earliest: 9, latest: 20 }
  const sounds = storageSize(2, { name: 'Sounds', forecast: { days: 900, earliest: 700, latest: 1_200 } })
  await openWall('boards=capacity', [], { dashboard: dashboardWith({ storages: [{ ...films, forecast }, sounds] }) })
  await boardSays(/First full in12 daysFilms of the north/)
  await boardSays(/Films of the north50\.0 %Full in 12 days1\.00 TiB of 2\.00 TiBSounds50\.0 %1\.00 TiB of/)
})

test('storages without a capacity say why there is no percentage', async () => {
  const unlimited = { total: null, used: null, free: null, fileSystem: null }
  const bucket = storageSize(1, { name: 'S3-BUCKET-renders', type: 'S3Volume', ...unlimited })
  const share = storageSize(2, { name: 'Sounds', ...unlimited })
  await openWall('boards=capacity', [], { dashboard: dashboardWith({ storages: [bucket, share] }) })
  await boardSays(/Size of files2\.00 GiB/)
  await boardSays(/rendersNo capacity limit1\.00 GiB of files.*SoundsCapacity unknown1\.00 GiB of files/)
  const figures = [...document.querySelectorAll('[data-leaving="false"] dd')].map(({ textContent }) => textContent)
  expect(figures).not.toContain('-')
})

test('a storage that becomes full brings its board forward', async () => {
  const { person, live } = await openWall('boards=growth,capacity')
  await seeBoard('Growth')
  await person.see(`Snapshot ${today}`)
  const full = { ...films, used: 19 * 2 ** 36, free: 2 ** 36 }
  live.send('dashboard', { type: 'dashboard', dashboard: dashboardWith({ storages: [full] }) })
  await seeBoard('Capacity')
  expect(isFramed()).toBe('true')
  await boardSays('Films of the north95.0 %')
})

test('a report check that fails brings the jobs forward', async () => {
  const check: CheckedReport = {
    id: 1,
    name: 'Old films',
    state: 'PASSED',
    reason: '',
    at: null,
    indexingDate: null,
    numberOfFilesFound: null,
    sizeOfFilesFound: null,
  }
  const { person, api, live } = await openWall('boards=jobs,capacity', [answer(reportChecks, [check])])
  await boardSays('Failed checks0')
  await person.keys('{ArrowRight}')
  await boardSays('Films of the north')
  api.answer(answer(reportChecks, [{ ...check, state: 'FAILED', reason: '12 files are too many' }]))
  live.send('changed', { type: 'changed', topics: ['reports'] })
  await seeBoard('Jobs')
  expect(isFramed()).toBe('true')
  await boardSays(/Failed checks1.*Old films12 files are too many/)
})

const active = (id: number, name: string, variation: number, percentage: number | null): ActiveVolume => ({
  id,
  name,
  type: 'crawl.files',
  indexingDate: today,
  previousIndexingDate: '2026-02-28',
  sizeOfFiles: 2 ** 20,
  previousSizeOfFiles: 2 ** 20 - variation,
  variation,
  variationPercentage: percentage,
})

test('growth shows the sizes of two days, and the storages and projects that changed most', async () => {
  const volumes = ['Films', 'Sounds', 'Stills', 'Cuts', 'Raw'].map((name, i) => active(i, name, 100_000 - i, 10))
  await openWall('boards=growth', [
    answer(wallGrowth, [
      { indexingDate: '2026-02-28', sizeOfFiles: 2 ** 20, isPartial: false },
      { indexingDate: today, sizeOfFiles: 3 * 2 ** 19, isPartial: true },
    ]),
    answer(mostActiveVolumes, volumes),
    answer(mostActiveProjects, [{ id: 1, name: 'Trailer', sizeOfFiles: 10, previousSize: 0, variation: 10 }]),
  ])
  await boardSays('Size of files1.50 MiBpartial')
  await boardSays('Change in 30 days+512 KiB+50.0 % since 2026-02-28')
  await boardSays(/Films\+97\.7 KiB\+10\.0 %.*and 1 more.*Trailer\+10 Bnew/)
  expect(screen.getByRole('img').getAttribute('aria-label')).toBe(`From 1.00 MiB on 2026-02-28 to 1.50 MiB on ${today}`)
})

test('agents that are silent come first', async () => {
  const agent = (id: number, name: string, changes: Partial<AgentInfo>): AgentInfo => ({
    id,
    name,
    version: null,
    isActive: true,
    state: 'active',
    lastCheckedDate: null,
    lastActiveDate: null,
    runningTasks: 2,
    scanIds: [],
    machine: null,
    refused: null,
    ...changes,
  })
  const silent = agent(3, 'West', { isActive: false, state: 'inactive', lastActiveDate: `${today}T10:00:00.000Z` })
  await openWall('boards=agents', [answer(agentInfos, [agent(2, 'East', {}), silent])])
  await boardSays(/Active agents2 \/ 3.*InactiveWestlast active .*ActiveBuilt-in agentIdle.*ActiveEastIdle/)
})

test('a few agents leave room for the latest jobs', async () => {
  const ended = [
    jobRow(7, { updatedAt: `${today}T10:00:00.000Z` }),
    jobRow(8, { status: 'FAILURE', updatedAt: `${today}T11:00:00.000Z`, result: { reason: 'The host is down' } }),
  ]
  await openWall('boards=agents', [answer(jobs.list, pageWith(ended))])
  await boardSays(/Latest jobsFailedFilmsThe host is down.*DoneFilms/)
})

test('the keys change the board and hold it', async () => {
  const { person } = await openWall('boards=capacity,jobs,growth')
  await seeBoard('Capacity')
  await person.keys('{ArrowRight}')
  await seeBoard('Jobs')
  await waitFor(() => expect(document.querySelectorAll('main > *')).toHaveLength(1))
  await person.keys('{ArrowLeft}{ArrowLeft}')
  await seeBoard('Growth')
  await person.keys(' ')
  await person.see('2 / 2, paused')
  await person.keys(' ')
  await person.seeNo('held')
})

test('without its server the wall says how old the data is, and goes on when the server is back', async () => {
  const { person, live } = await openWall('boards=capacity')
  await boardSays('Films of the north')
  live.close()
  await person.see('Connecting')
  const now = Date.now
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 20_000)
  await person.see(/Data is staleAs of \d\d:\d\d:\d\d/)
  await boardSays('Films of the north')
  vi.mocked(Date.now).mockImplementation(() => now() + 90_000)
  await person.see(/Offline, data is staleAs of \d\d:\d\d:\d\d/)
  const added = storageSize(2, { name: 'After the restart' })
  live.reopen({ dashboard: dashboardWith({ storages: [films, added] }) })
  await person.see(/LiveLast event/)
  await boardSays('After the restart')
})

test('a wall that was opened when too many did opens later', async () => {
  const { person, api } = await openWall('token=secret', [refuse(wallSignIn, { message: 'Too many' }, 429)])
  await person.see("The wall can't be opened right nowRetrying every few seconds.")
  api.answer(...signIn)
  await boardSays('Fullest storages')
  expect(location.search).toBe('?every=300')
})

test('a token that was ended closes the wall, and so does a session that was ended', async () => {
  const refused = await openWall('token=secret', [refuse(wallSignIn, { message: 'Unknown' }, 401)])
  await refused.person.see('This wall is closedIts link was revoked or is incomplete.')
  const { person, api, live } = await openWall('boards=capacity')
  await boardSays('Films of the north')
  api.answer(refuse(dashboard, { message: 'Not signed in' }, 401))
  live.close()
  await person.see('This wall is closed')
})

test('a display that goes elsewhere is led to the sign-in', async () => {
  await open('/settings', {
    hasShell: true,
    answers: [...signIn, refuse(currentUserInfo, { message: 'A wall has no user', code: 'wall' }, 403)],
  })
  await waitFor(() => expect(location.pathname).toBe('/login'))
})
