import { liveOff } from '#events/feeds/liveState.ts'
import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { agents } from '#events/agents.ts'
import { type Schedule, type ScheduleDraft, schedules } from '#events/schedules/calls.ts'
import { buckets } from '#events/sources/buckets.ts'
import { fileStorages } from '#events/sources/fileStorages.ts'
import { type PowerScale, powerScales } from '#events/sources/powerScales.ts'
import { type Storage, storages } from '#events/storages.ts'
import { fileStorage, powerScaleDraft, today } from '#client/testing/examples.ts'
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
  live: liveOff,
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
const renders: PowerScale = { ...powerScaleDraft, id: 4, volumeSettingId: 9 }
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
  await person.see('No schedules yet. Scans run only when someone starts them.')
})

test('a nightly scan needs a name and storages: the time is in plain words, with the next three runs', async () => {
  const { person, api } = await show()
  await person.press('Add schedule')
  await person.see('Schedule a Job')
  expect(await person.isDisabled('Save')).toBe(true)
  await person.write('Name', 'Films at night')
  await person.choose('Job', 'Scan file storages')
  await person.pick('File storages', 'Films')
  await person.see('Every day at 01:00')
  await person.write('Time', '2:30')
  await person.see('Every day at 02:30')
  await person.see(/Next runs in the server's time zone \(America\/Denver\)/)
  expect(screen.queryByRole('textbox', { name: 'Cron' })).toBeNull()
  await person.press('Save')
  await person.see('Schedule Films at night was created')
  await person.closed()
  await rowSays(/Films at night/, /Every day at 02:30.*Scan file storages.*Films.*Not run yet/)
  expect(api.inputs(schedules.create)).toMatchObject([
    { body: { cron: '0 30 2 * * ?', jobClass: 'SCAN_VOLUMES', payload: { volumes: [1], cloneIndex: true } } },
  ])
})

test('hourly, weekly and monthly schedules have the times that they need', async () => {
  const { person, api } = await show()
  await person.press('Add schedule')
  await person.write('Name', 'All')
  await person.choose('Job', 'Scan all storages')
  await person.choose('Runs', 'Hourly')
  await person.write('Minute', '75')
  await person.see('Minute must be a whole number from 0 to 59')
  await person.choose('Runs', 'Monthly')
  await person.choose('Day of month', 'Last day')
  await person.see('on the last day of the month')
  await person.choose('Runs', 'Weekly')
  await person.choose('Day', 'Monday to Friday')
  await person.write('Time', '25:00')
  await person.see('Time must be a time of day, such as 02:00')
  expect(await person.isDisabled('Save')).toBe(true)
  await person.write('Time', '10 pm')
  await person.see('At 22:00, Monday through Friday')
  await person.press('Save')
  await person.closed()
  expect(api.inputs(schedules.create)).toMatchObject([{ body: { cron: '0 0 22 ? * MON-FRI' } }])
})

test('crontab with five fields is accepted, and saved as Quartz', async () => {
  const { person, api } = await show()
  await person.press('Add schedule')
  await person.write('Name', 'From crontab')
  await person.choose('Job', 'Scan all storages')
  await person.choose('Runs', 'Advanced')
  expect(await person.isDisabled('Save')).toBe(true)
  await person.write('Cron', '0 2 * * 1-5')
  await person.see('Saved as 0 0 2 ? * MON-FRI')
  await person.see('At 02:00, Monday through Friday')
  await person.write('Cron', '0 0 2 * * *')
  await person.see('Saved as 0 0 2 * * ?')
  await person.press('Save')
  await person.closed()
  expect(api.inputs(schedules.create)).toMatchObject([{ body: { cron: '0 0 2 * * ?' } }])
})

test('an expression is also edited by its fields', async () => {
  const { person } = await show()
  await person.press('Add schedule')
  await person.choose('Runs', 'Advanced')
  await person.write('Hours', '3')
  await person.write('Day of week', 'MON-FRI')
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Cron' }).value).toBe('0 0 3 ? * MON-FRI')
})

test('an expression that cannot be read is refused in words, and a job that lacks something cannot be saved', async () => {
  const { person, api } = await show()
  await person.press('Add schedule')
  await person.write('Name', 'Wrong')
  await person.choose('Runs', 'Advanced')
  await person.write('Cron', '0 0 0 1 * MON')
  await person.see('Cron may set only one of day of month and day of week, the other must be ?')
  const past = [{ field: 'cron', message: 'has no future times' }]
  api.answer(refuse(schedules.preview, { message: 'Validation errors', subErrors: past }, 400))
  await person.write('Cron', '0 0 0 1 1 ? 1999')
  await person.see('Cron has no future times')
  await person.write('Cron', '0 0 0 1 * ?')
  await person.choose('Job', 'Scan storages of an agent')
  expect(await person.isDisabled('Save')).toBe(true)
  await person.choose('Agent', 'South')
  expect(await person.isDisabled('Save')).toBe(false)
  await person.choose('Job', 'Scan storages or folders')
  expect(await person.isDisabled('Save')).toBe(true)
  await person.choose('Storage 1', 'Archive')
  await person.write('Path on storage 1', '/raw')
  api.answer(refuse(schedules.create, { message: 'Archive is not there any more' }, 409))
  await person.press('Save')
  await person.see('Archive is not there any more')
  expect(api.inputs(schedules.create)).toMatchObject([{ body: { payload: { storageIdToPath: { 2: '/raw' } } } }])
  await person.keys('{Escape}')
  await person.press('Discard changes')
  await person.closed()
})

test('a delta scan of clusters is scheduled, and clones the index', async () => {
  const { person, api } = await show([], [answer(powerScales.list, pageWith([renders]))])
  await person.press('Add schedule')
  await person.write('Name', 'Renders at night')
  await person.choose('Job', 'Scan Dell PowerScale storages')
  await person.pick('Dell PowerScale storages', 'Renders')
  const clone = () => screen.getByRole<HTMLInputElement>('checkbox', { name: 'Keep other storages in the snapshot' })
  expect([clone().checked, clone().disabled]).toEqual([true, true])
  await person.press('Only changes', 'checkbox')
  await person.press('Keep other storages in the snapshot', 'checkbox')
  await person.press('Only changes', 'checkbox')
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

const ran = { dueAt: at, outcome: 'started', jobId: 9, reason: null, mail: null } as const

test('the run of a schedule appears without a reload, and leads to its job', async () => {
  const kept = [films]
  const { live } = await show(kept)
  await rowSays(/Films at night/, /Not run yet/)
  kept[0] = { ...films, lastRun: { ...ran, jobStatus: 'FAILURE' } }
  live.send('changed', { type: 'changed', topics: ['schedules'] })
  await rowSays(/Films at night/, /Failure.*Job 9/)
  expect(screen.getByRole('link', { name: 'Job 9' }).getAttribute('href')).toBe('/settings/jobs?id=9')
})

test('a run that started late has the time it was due and its actual start', async () => {
  const late = { ...ran, jobStatus: 'SUCCESS' as const, startedAt: at.replace('03:00', '05:01') }
  await show([{ ...films, lastRun: late }])
  await rowSays(/Films at night/, /03:00, started 05:01.*Job 9/)
})

test('a schedule runs now, unless its job is still running', async () => {
  const kept = [films]
  const { person, api } = await show(kept)
  api.answer(refuse(schedules.run, { message: 'There is nothing left to scan: Films (still being scanned)' }, 409))
  await person.press('Run Films at night now')
  await person.see('There is nothing left to scan: Films (still being scanned)')
  api.answer(answer(schedules.run, { jobId: 9 }))
  kept[0] = { ...films, lastRun: { ...ran, jobStatus: 'RUNNING' } }
  await person.press('Run Films at night now')
  await person.see('Job 9 of Films at night was started')
  await rowSays(/Films at night/, /Running.*Job 9/)
  const button = screen.getByRole('button', { name: 'Run Films at night now' })
  expect([button.ariaDisabled ?? button.getAttribute('aria-disabled'), button.title]).toEqual([
    'true',
    'Job 9 is still running',
  ])
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
  await person.write('Time', '12:00')
  await person.press('Save')
  await person.see('Schedule Films at noon was updated')
  await person.closed()
  await rowSays(/Films at noon/, /At 12:00/)
  await person.press('Delete Films at noon')
  await person.see('Are you sure you want to delete schedule Films at noon?')
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'))
  await person.press('Delete schedule')
  await person.see('Schedule Films at noon was deleted')
  await person.see('No schedules yet.')
})

test('schedules need a role', async () => {
  const { person, api } = await show([films], [], { roles: ['ROLE_SODA_TRANSFER'] })
  await person.see('Only administrators can open Settings.')
  expect(api.inputs(schedules.list)).toEqual([])
})

test('times more often than once a minute are refused while they are typed, with the rule', async () => {
  const { person } = await show()
  await person.press('Add schedule')
  await person.choose('Runs', 'Advanced')
  await person.write('Cron', '*/10 * * * * ?')
  await person.see('Cron may run at most once a minute: the seconds must be a single number, such as 0')
  await person.write('Cron', '30 * * * * ?')
  await person.see(/Next runs in the server's time zone/)
  expect(screen.queryByText(/at most once a minute/)).toBeNull()
})
