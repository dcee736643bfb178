import { screen } from '@testing-library/dom'
import { afterEach, expect, test, vi } from 'vitest'
import { type AgentInfo, agentInfos } from '#events/agents.ts'
import { dashboard } from '#events/dashboard.ts'
import { growingNow } from '#events/feeds/growingNow.ts'
import { jobs } from '#events/jobs/calls.ts'
import { mostActiveProjects } from '#events/projects/calls.ts'
import { type ActiveVolume, mostActiveVolumes } from '#events/storages.ts'
import { wallFolders, wallGrowth } from '#events/wall.ts'
import { dashboardWith, jobRow, storageSize, today } from '#client/testing/examples.ts'
import { answer, pageWith } from '#client/testing/fakeApi.ts'
import { board, boardSays, films, openWall } from '#client/wall/testing/openWall.ts'

afterEach(() => vi.restoreAllMocks())

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

test('changes of a scan are shown during it, with storages of one disk below it', async () => {
  const { person, live } = await openWall('boards=capacity,map')
  await boardSays(/Films of the north50\.0 %1\.00 TiB of 2\.00 TiB/)
  await person.see(`Snapshot ${today}`)
  await person.see(/LiveUpdated \d\d:\d\d:\d\d/)
  const others = Array.from({ length: 13 }, (_, i) =>
    storageSize(i + 2, { name: `Storage with quite a long name, number ${i}`, fileSystem: 'north' }),
  )
  live.send('dashboard', { type: 'dashboard', dashboard: dashboardWith({ storages: [films, ...others] }) })
  await boardSays(/14 storages on one disk50\.0 %.*and 7 more/)
  await boardSays('Films of the north1.00 GiB of files')
  await person.keys('{ArrowRight}')
  await boardSays(/14 storages on one disk50\.0 %/)
})

test('a live storage has its newest figures with their age, and the folders that grow', async () => {
  const later = Date.now() + 86_400_000
  const now = answer(dashboard, ({ query: { indexingDate } }) => {
    const live = { sizeOfFiles: 2 ** 31, used: 1.5 * 2 ** 40, free: 2 ** 39, asOf: later }
    return dashboardWith({ storages: [{ ...films, ...(indexingDate === 'now' && live) }] })
  })
  const folder = { volumeId: 1, volumeName: 'Films', owner: 'ana', bytesPerMinute: 2 ** 30, filesPerMinute: 600 }
  const growing = answer(growingNow, { folders: [{ ...folder, path: '/renders' }], asOf: later })
  const { person, api, live } = await openWall('boards=capacity,now', [now, growing])
  await boardSays(/Films of the north 0\.0 s ago75\.0 %1\.50 TiB of 2\.00 TiB/)
  await person.keys('{ArrowRight}')
  await boardSays(/Per minute1\.00 GiB.*Files per minute600.*Last change0\.0 s.*\/rendersFilms, ana1\.00 GiB\/min/)
  api.answer(answer(growingNow, { folders: [], asOf: Date.now() }))
  live.send('changed', { type: 'changed', topics: ['live'] })
  await boardSays('Nothing grows right now')
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
  await boardSays(/Under 80 %1.*80 to 90 %0.*90 % and above0/)
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

test('storages without a capacity show why there is no percentage', async () => {
  const unlimited = { total: null, used: null, free: null, fileSystem: null }
  const bucket = storageSize(1, { name: 'S3-BUCKET-renders', type: 'S3Volume', ...unlimited })
  const share = storageSize(2, { name: 'Sounds', ...unlimited })
  await openWall('boards=capacity', [], { dashboard: dashboardWith({ storages: [bucket, share] }) })
  await boardSays(/Size of files2\.00 GiB/)
  await boardSays(/rendersNo capacity limit1\.00 GiB of files.*SoundsCapacity unknown1\.00 GiB of files/)
  const figures = [...document.querySelectorAll('[data-leaving="false"] dd')].map(({ textContent }) => textContent)
  expect(figures).not.toContain('-')
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

test('silent agents are listed first', async () => {
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
