import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { agents } from '#events/agents.ts'
import { type Schedule, type ScheduleDraft, schedules } from '#events/schedules/calls.ts'
import { buckets } from '#events/sources/buckets.ts'
import { fileStorages } from '#events/sources/fileStorages.ts'
import { type PowerScale, powerScales } from '#events/sources/powerScales.ts'
import { type Storage, storages } from '#events/storages.ts'
import { fileStorage, today } from '#client/testing/examples.ts'
import { answer, type FakeAnswer, pageWith, refuse, tableOf } from '#client/testing/fakeApi.ts'
import { open, type Options } from '#client/testing/render.tsx'

const at = `${today}T03:00:00.000Z`
const storage = (id: number, name: string): Storage => ({
  id,
  name,
  account: null,
  type: 'crawl.files',
  createdAt: at,
  stats: { capacityUsed: 1, capacityTotal: 2, capacityFree: 1, fileSystem: null },
})
const storagePage = {
  elements: [storage(1, 'Films'), storage(2, 'Archive')],
  startCursor: null,
  endCursor: null,
  hasNextPage: false,
  hasPreviousPage: false,
  size: 500,
  sort: 'NAME' as const,
  direction: 'asc' as const,
  indexingDate: today,
}
const renders: PowerScale = {
  id: 4,
  volumeSettingId: 9,
  host: 'isilon.example.com',
  dataintellName: 'Renders',
  path: '/ifs/renders',
  scanType: 'VOLUME_MULTITHREAD',
  dellPowerScaleCredentials: { id: 1 },
  storagePrice: { id: 1 },
  serverId: 1,
  volumeIgnoreRules: [],
  fullScanSnapshotExpiresDays: 7,
  deltaScanSnapshotExpiresDays: 3,
  certificateFingerprint: '',
  sizeBasis: 'onDisk',
}
const scheduleOf = (draft: ScheduleDraft, id: number): Schedule => ({ ...draft, id, nextRuns: [at], lastRun: null })
const films: Schedule = {
  id: 1,
  name: 'Films at night',
  cron: '0 0 3 ? * MON-FRI',
  paused: false,
  jobGroup: 'SCANNER',
  jobClass: 'SCAN_VOLUMES',
  payload: { volumes: [1], cloneIndex: true },
  nextRuns: [at],
  lastRun: null,
}
const show = (kept: Schedule[] = [], answers: FakeAnswer[] = [], options: Options = {}) =>
  open('/settings/schedules', {
    ...options,
    answers: [
      ...tableOf(schedules, kept, { rowOf: scheduleOf, listOf: (rows) => rows }),
      answer(schedules.preview, { times: [at], timeZone: 'America/Denver' }),
      answer(agents.list, pageWith([{ id: 2, name: 'South' }])),
      answer(fileStorages.list, pageWith([fileStorage(1, 'Films'), fileStorage(2, 'Archive')])),
      answer(buckets.list, pageWith([])),
      answer(storages, storagePage),
      ...answers,
    ],
  })
const rowSays = (name: RegExp, text: RegExp) =>
  waitFor(async () => {
    const table = await screen.findByRole('table', { name: 'Schedules' })
    expect(within(table).getByRole('row', { name }).textContent).toMatch(text)
  })

test('where nothing is scheduled, the screen says so', async () => {
  const { person } = await show()
  await person.see('Manage how and when the jobs occur.')
  await person.see('Nothing is scheduled yet. Scans start only when someone starts them.')
})

test('a schedule is written by its fields, in words and with its next times, and saved when it is whole', async () => {
  const { person, api } = await show()
  await person.press('Add schedule')
  await person.see('Schedule a Job')
  await person.write('Name', 'Films at night')
  expect(await person.isDisabled('Save')).toBe(true)
  await person.write('Hours', '3')
  await person.write('Day of week', 'MON-FRI')
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Cron' }).value).toBe('0 0 3 ? * MON-FRI')
  await person.see('At 03:00, Monday through Friday')
  await person.see(/Next times, in the server's time zone \(America\/Denver\)/)
  await person.choose('Job', 'Scan file storages')
  expect(await person.isDisabled('Save')).toBe(true)
  await person.pick('File storages', 'Films')
  await person.press('Save')
  await person.see('Schedule Films at night was created')
  await person.closed()
  await rowSays(/Films at night/, /At 03:00.*Scan file storages.*Films.*Did not run yet/)
  expect(api.inputs(schedules.create)).toMatchObject([
    {
      body: {
        name: 'Films at night',
        cron: '0 0 3 ? * MON-FRI',
        jobClass: 'SCAN_VOLUMES',
        payload: { volumes: [1], cloneIndex: true },
      },
    },
  ])
})

test('an expression that cannot be read is refused in words, and a job that lacks something cannot be saved', async () => {
  const { person, api } = await show()
  await person.press('Add schedule')
  await person.write('Name', 'Wrong')
  await person.write('Cron', '0 0 0 1 * MON')
  await person.see('Cron may set only one of day of month and day of week, the other must be ?')
  const past = [{ field: 'cron', message: 'has no future times' }]
  api.answer(refuse(schedules.preview, { message: 'Validation errors', subErrors: past }, 400))
  await person.write('Cron', '0 0 0 1 1 ? 1999')
  await person.see('Cron has no future times')
  await person.write('Cron', '0 0 0 1 * ?')
  await person.choose('Job', 'Scan by agent')
  expect(await person.isDisabled('Save')).toBe(true)
  await person.choose('Agent', 'South')
  expect(await person.isDisabled('Save')).toBe(false)
  await person.choose('Job', 'Scan Storages')
  expect(await person.isDisabled('Save')).toBe(true)
  await person.choose('Storage 1', 'Archive')
  await person.write('Path on storage 1', '/raw')
  api.answer(refuse(schedules.create, { message: 'Archive is not there any more' }, 409))
  await person.press('Save')
  await person.see('Archive is not there any more')
  expect(api.inputs(schedules.create)).toMatchObject([{ body: { payload: { storageIdToPath: { 2: '/raw' } } } }])
  await person.keys('{Escape}')
  await person.closed()
})

test('a delta scan of clusters is scheduled, and clones the index', async () => {
  const { person, api } = await show([], [answer(powerScales.list, pageWith([renders]))])
  await person.press('Add schedule')
  await person.write('Name', 'Renders at night')
  await person.write('Cron', '0 0 3 * * ?')
  await person.choose('Job', 'Scan Dell PowerScale storages')
  await person.pick('Dell PowerScale storages', 'Renders')
  const clone = () => screen.getByRole<HTMLInputElement>('checkbox', { name: 'Clone Index' })
  expect([clone().checked, clone().disabled]).toEqual([true, true])
  await person.press('Delta Scan', 'checkbox')
  await person.press('Clone Index', 'checkbox')
  await person.press('Delta Scan', 'checkbox')
  expect([clone().checked, clone().disabled]).toEqual([true, true])
  await person.press('Save')
  await person.closed()
  await rowSays(/Renders at night/, /Scan Dell PowerScale storages.*Renders/)
  expect(api.inputs(schedules.create)).toMatchObject([
    {
      body: {
        jobClass: 'SCAN_DELL_POWER_SCALES',
        payload: { dellPowerScaleIds: [4], cloneIndex: true, isDeltaScan: true },
      },
    },
  ])
})

test('scans of a bundle that is not licensed cannot be chosen', async () => {
  const { person } = await show([], [], { bundles: [] })
  await person.press('Add schedule')
  const locked = await screen.findByRole<HTMLOptionElement>('option', {
    name: 'Scan Archiware indexes (Unlock Archiware P5 Bundle)',
  })
  expect(locked.disabled).toBe(true)
})

test('the run of a schedule appears without a reload, and leads to its job', async () => {
  const kept = [films]
  const { live } = await show(kept)
  await rowSays(/Films at night/, /Did not run yet/)
  kept[0] = { ...films, lastRun: { dueAt: at, outcome: 'started', jobId: 9, reason: null, mail: null } }
  live.send('changed', { type: 'changed', topics: ['schedules'] })
  await rowSays(/Films at night/, /Started.*Job 9/)
  expect(screen.getByRole('link', { name: 'Job 9' }).getAttribute('href')).toBe('/settings/jobs?id=9')
})

test('a schedule is paused in its row', async () => {
  const { person, api } = await show([films])
  await person.press('Films at night is active', 'switch')
  await rowSays(/Films at night/, /Paused/)
  expect(api.inputs(schedules.update)).toMatchObject([{ params: { id: 1 }, body: { paused: true } }])
})

test('an edited schedule keeps its job, and is deleted once that is confirmed', async () => {
  const { person } = await show([films])
  await person.press('Edit Films at night')
  expect(await person.isDisabled('Job', 'combobox')).toBe(true)
  await person.write('Name', 'Films at noon')
  await person.write('Hours', '12')
  await person.press('Save')
  await person.see('Schedule Films at noon was updated')
  await person.closed()
  await rowSays(/Films at noon/, /At 12:00/)
  await person.press('Delete Films at noon')
  await person.see('Are you sure you want to delete schedule Films at noon?')
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'))
  await person.press('Delete schedule')
  await person.see('Schedule Films at noon was deleted')
  await person.see('Nothing is scheduled yet.')
})

test('schedules need a role', async () => {
  const { person, api } = await show([films], [], { roles: ['ROLE_SODA_TRANSFER'] })
  await person.see('Only administrators can open Settings.')
  expect(api.inputs(schedules.list)).toEqual([])
})
