import { waitFor } from '@testing-library/dom'
import { afterEach, expect, test, vi } from 'vitest'
import { agentInfos } from '#events/agents.ts'
import { dashboard } from '#events/dashboard.ts'
import { jobs } from '#events/jobs/calls.ts'
import { mostActiveProjects } from '#events/projects/calls.ts'
import { type CheckedReport, reportChecks } from '#events/reports/runs.ts'
import { mostActiveVolumes } from '#events/storages.ts'
import { currentUserInfo } from '#events/users/session.ts'
import { wallGrowth, WallOptions, wallOptions, wallSignIn, wallFiring } from '#events/wall.ts'
import { dashboardWith, jobRow, storageSize, today } from '#client/testing/examples.ts'
import { answer, hold, refuse } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import { board, boardSays, films, isFramed, openWall, seeBoard, signIn, title } from '#client/wall/testing/openWall.ts'

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
  const { person } = await openWall('boards=capacity,jobs,growth,now,map,agents', [], { dashboard: nothing })
  await boardSays('No storage scanned yet')
  await person.see('No snapshot yet')
  const words = {
    Jobs: 'No failures or warnings in 24 h and no running jobs',
    Growth: /Growth appears after the second snapshot.*No storage changed in 30 days/,
    'Growing now': /Last change-.*Nothing grows right now/,
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

test('a wall with limits says them, and which boards are not available', async () => {
  const limits = { projects: [{ id: 1, name: 'Aurora' }], storages: [], folders: 0, version: 'a' }
  const { person } = await openWall('boards=capacity,agents,growth', [
    answer(wallOptions, { ...WallOptions.parse({}), limits }),
    answer(dashboard, dashboardWith({ storages: [{ ...films, name: 'Seen' }] })),
  ])
  await person.see('Of 1 project')
  await boardSays('Seen')
  await person.keys('{ArrowRight}')
  await seeBoard('Agents')
  await boardSays('Not available for 1 project')
  await person.keys('{ArrowRight}')
  await seeBoard('Growth')
  await boardSays(/Change in 30 days-Not available for 1 project/)
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

test('without its server the wall shows the age of the data, and continues when the server is back', async () => {
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
  await person.see(/LiveUpdated/)
  await boardSays('After the restart')
})

test('the number of firing alerts is on every board, and follows', async () => {
  const { person, api, live } = await openWall('boards=capacity', [answer(wallFiring, { firing: 4 })])
  await person.see('4 alerts firing')
  api.answer(answer(wallFiring, { firing: 0 }))
  live.send('changed', { type: 'changed', topics: ['schedules'] })
  await person.seeNo('firing')
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
