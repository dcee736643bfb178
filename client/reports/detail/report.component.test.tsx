import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { reports } from '#events/reports/calls.ts'
import { type ReportRun, reportRuns } from '#events/reports/runs.ts'
import type { Report } from '#events/reports/templates.ts'
import { searchFiles, searchFolders } from '#events/search/calls.ts'
import { volumes } from '#events/snapshots.ts'
import { failures } from '#client/app/toasts/toasts.ts'
import { entry, entryPage, jobRow, volume, volumePage } from '#client/testing/examples.ts'
import { answer, fail, type FakeAnswer, pageWith } from '#client/testing/fakeApi.ts'
import { report, reportRun } from '#client/testing/reportExamples.ts'
import { open, type Options } from '#client/testing/render.tsx'

type ShownReport = { shown?: Partial<Report>; runs?: ReportRun[]; roles?: Options['roles'] }
const show = ({ shown, runs = [reportRun(1)], roles }: ShownReport = {}, ...answers: FakeAnswer[]) =>
  open('/report/4', {
    ...(roles && { roles }),
    answers: [
      answer(reports.find, report(4, shown)),
      answer(reportRuns.list, pageWith(runs)),
      answer(searchFiles, entryPage([entry('/alpine/same.mov')])),
      answer(searchFolders, entryPage([])),
      answer(volumes, volumePage([volume(1, { name: 'Films' })])),
      ...answers,
    ],
  })
const card = (title: string) => screen.findByRole('region', { name: title })
const cardSays = (title: string, text: RegExp) =>
  waitFor(async () => expect((await card(title)).textContent).toMatch(text))

test('a report shows what it found, in which data, and with which parameters', async () => {
  const { person, api } = await show()
  await person.see('Check failed')
  await cardSays('Report Details', /Success.*2 min 00 s.*Copies.*30 days.*twice.*admin/)
  await cardSays('Matches', /Files1250\.0 %Folders010\.0 %/)
  await cardSays('Parameters', /Films.*Archive\/alpine.*None.*Fails when any file matches/)
  await cardSays('Top 10 files', /same\.mov/)
  await cardSays('Top 10 folders', /No folders found/)
  expect(api.inputs(searchFiles)).toMatchObject([
    { query: { report: ['dataintell.report.Copies.2026-03-01'], size: 10, sort: 'size', direction: 'desc' } },
  ])
  const search = within(await card('Top 10 folders')).getByRole('link', { name: 'Show content as Search result' })
  expect(search.getAttribute('href')).toBe('/search?report=dataintell.report.Copies.2026-03-01&activeTab=1')
})

test('before its first run a report has parameters, and nothing that was found', async () => {
  const { person } = await show({
    shown: {
      numberOfFilesFound: null,
      reportTag: null,
      indexingDate: null,
      lastExecutionDate: null,
      jobs: [],
      check: null,
      schedule: { cron: '0 0 0 1 * ?', paused: true },
    },
    runs: [],
  })
  await person.see('No results until the report has run.')
  await person.see('The report has not run yet.')
  await cardSays('Report Details', /No recent job.*Never.*Paused/)
  await cardSays('Parameters', /\(paused\)/)
  expect(screen.queryByRole('link', { name: 'Show content as Search result' })).toBeNull()
})

test('figures of other limits are hidden, and limited ones say so to those who see everything', async () => {
  const hidden = { numberOfFilesFound: null, reportTag: null, indexingDate: null }
  const { person } = await show({ shown: hidden, runs: [] })
  await person.see('Counted within other limits. Run the report again.')
  await show({ shown: { isLimited: true, createdBy: 'anna' } })
  await cardSays('Matches', /Of what anna sees/)
})

test('the files and folders that could not be read are named in the words of reports', async () => {
  const { person } = await show({}, fail(searchFiles), fail(searchFolders))
  const named = ['files', 'folders'].map((kind) => `Error while getting the ${kind} found for this report.`)
  await waitFor(() => expect(failures.list.map(({ message }) => message)).toEqual(expect.arrayContaining(named)))
  await person.see(named.at(-1)!)
})

test('two runs are compared, and what differs in one way is listed further and further', async () => {
  const totals = {
    NEW: { files: 0, folders: 0, bytes: 0 },
    GONE: { files: 1, folders: 0, bytes: 10 },
    STILL_THERE: { files: 2, folders: 0, bytes: 30 * 1_024 },
  }
  const runs = [reportRun(3, { startedAt: '2026-03-01T12:00:00.000Z' }), reportRun(2, { isKept: false }), reportRun(1)]
  const row = { volumeId: 2, volumeName: 'Archive', isDirectory: false, size: 1_024 }
  const rowAt = (path: string) => ({ ...row, path, fullPath: `/mnt/archive${path}` })
  const { person, api } = await show(
    { runs },
    answer(reportRuns.compare, { from: reportRun(1), to: reportRun(3), totals }),
    answer(reportRuns.comparedEntries, ({ query: { difference, cursor } }) => {
      if (difference !== 'STILL_THERE') return { elements: [], cursor: null }
      return cursor
        ? { elements: [rowAt('/alpine/other.mov')], cursor: null }
        : { elements: [rowAt('/alpine/same.mov')], cursor: 'next' }
    }),
  )
  await person.see('Nothing.')
  expect(api.inputs(reportRuns.compare)).toMatchObject([{ params: { id: 4 }, query: { from: 1, to: 3 } }])
  await person.press(/^Still there/)
  await cardSays('Run history', /Still there2 files0 folders, 30\.0 KiB.*same\.mov/)
  await person.press('Load more')
  await cardSays('Run history', /same\.mov.*other\.mov/)
  const [first] = within(screen.getByRole('list', { name: 'Differences, largest first' })).getAllByRole('link')
  expect(first?.getAttribute('href')).toBe('/filemanagement?volumeId=2&path=%2Falpine&fileName=same.mov')
  const ticks = screen.getAllByRole<HTMLInputElement>('radio', { name: /1 file found, success, check failed/ })
  expect(ticks.map(({ checked }) => checked)).toEqual([false, false, true])
  await person.pressAt(ticks[1]!)
  await cardSays('Run history', /No longer kept/)
})

test('a report is not launched while a run is under way, and buttons need a role', async () => {
  const { person, live } = await show()
  expect(await person.isDisabled('Launch Report')).toBe(false)
  const payload = { templateId: 4 }
  const running = jobRow(7, {
    type: 'GENERATE_REPORT',
    status: 'RUNNING',
    payload,
    updatedAt: '2026-03-01T10:05:00.000Z',
  })
  live.send('jobs', { type: 'jobs', jobs: [running] })
  await waitFor(async () => expect(await person.isDisabled('Launch Report')).toBe(true))
  await show({ roles: ['ROLE_SODA_TRANSFER'] })
  await cardSays('Top 10 files', /same\.mov/)
  for (const name of ['Launch Report', 'Edit Report', 'Delete Report'])
    expect(screen.queryByRole('button', { name })).toBeNull()
})

test('a report whose webhook lost its user says so', async () => {
  const { person } = await show({ shown: { isWebhookUserDeleted: true } })
  await person.see('The user of this webhook was deleted. Enter the webhook again.')
})

test('a report that is deleted leads back to the list', async () => {
  const { person } = await show({}, answer(reports.remove), answer(reports.list, pageWith([])))
  await person.press('Delete Report')
  await person.press('Delete report')
  await person.see('Report template [Copies] has been deleted successfully.')
  await waitFor(() => expect(location.pathname).toBe('/reports'))
})
