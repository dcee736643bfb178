import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { reports, reportTypes } from '#events/reports/calls.ts'
import { type ListedReport, ReportType } from '#events/reports/templates.ts'
import { volumes } from '#events/snapshots.ts'
import { jobRow, today, volumePage } from '#client/testing/examples.ts'
import { answer, fail, type FakeAnswer, pageWith, refuse } from '#client/testing/fakeApi.ts'
import { listedReport } from '#client/testing/reportExamples.ts'
import { open, type Options } from '#client/testing/render.tsx'

const at = `${today}T10:00:00.000Z`
const defaultAnswers = [answer(reportTypes, [...ReportType.options]), answer(volumes, volumePage([]))]
const listOf = (...rows: ListedReport[]) => answer(reports.list, pageWith(rows))
const show = (answers: FakeAnswer[], { at = '/reports', ...options }: Options & { at?: string } = {}) =>
  open(at, { answers: [...defaultAnswers, ...answers], ...options })
const rows = async () =>
  within(await screen.findByRole('grid', { name: 'Reports' }))
    .getAllByRole('row')
    .slice(1)
const rowTexts = async () => (await rows()).map(({ textContent }) => textContent)
const address = () => location.pathname + location.search

test.each([
  ['Names that Windows rejects', 'refused-names'],
  ['Masters without a proxy', 'no-proxy'],
  ['Same picture in several resolutions', 'other-sizes'],
])('without reports the list says what one is, and offers %s', async (name, key) => {
  const { person } = await show([listOf()])
  await person.see('No reports yet.')
  await person.press(new RegExp(`^${name}`))
  expect(address()).toBe(`/reports?wizard=new&ready=${key}`)
  await person.see(new RegExp(`Review.*${name}`))
  await person.keys('{Escape}')
  await person.closed()
  expect(address()).toBe('/reports')
})

test('a row has the name, failed check, type and last run of a report, and opens it', async () => {
  const ended = { createdAt: at, startedAt: at, updatedAt: at }
  const { person } = await show([
    listOf(
      listedReport(4),
      listedReport(5, {
        name: 'Old',
        type: 'SEARCH_QUERY',
        check: { state: 'PASSED', reason: '' },
        jobs: [{ id: 8, status: 'CANCELLED', ...ended }],
      }),
      listedReport(6, { name: 'New', check: null, jobs: [], lastExecutionDate: null }),
    ),
    refuse(reports.find, { message: 'There is no report 4' }, 404),
  ])
  await person.see('3 reports found')
  const [first, second, third] = await rowTexts()
  expect(first).toMatch(/^CopiesCheck failedCopies1 · 1\.00 KiB2026-03-01.*2026-04-01/)
  expect(second).toMatch(/^OldSearch1 · 1\.00 KiB2026-03-01.*Cancelled/)
  expect(third).toMatch(/^NewCopies1 · 1\.00 KiBNever/)
  await person.pressAt(screen.getAllByText('Copies')[0]!)
  // An unreadable report returns to the list.
  await person.see('Error while getting the report.')
  await waitFor(() => expect(address()).toBe('/reports'))
  await person.see('3 reports found')
})

test('a run that is under way shows its progress', async () => {
  const { person, live } = await show([listOf(listedReport(4))])
  await person.see('Check failed')
  const result = { toTag: 4, tagged: 1 }
  const updatedAt = '2026-03-01T10:05:00.000Z'
  live.send('jobs', {
    type: 'jobs',
    jobs: [
      jobRow(7, {
        type: 'GENERATE_REPORT',
        payload: { templateId: 4 },
        status: 'RUNNING',
        version: 9,
        updatedAt,
        result,
      }),
    ],
  })
  await waitFor(async () => expect((await rowTexts())[0]).toMatch(/Running.*25\.0 %/))
})

test('the list is sorted by name, and by a column on request, which this browser keeps', async () => {
  const { person, api } = await show([listOf(listedReport(4))])
  await person.see('1 report found')
  expect(api.inputs(reports.list).at(-1)?.query).toEqual({ page: 1, size: 25, sort: 'name', direction: 'asc' })
  await person.press('Last run')
  await waitFor(() => expect(api.inputs(reports.list).at(-1)?.query).toMatchObject({ sort: 'lastExecutionDate' }))
  expect(localStorage.getItem('reportSort')).toBe('lastExecutionDate')
})

test('a report is launched once that is confirmed, and a refusal says why', async () => {
  const { person, api } = await show([listOf(listedReport(4)), answer(reports.launch, { jobId: 12 })])
  await person.press('Launch Copies')
  await person.see('its tags may take a while to appear on files and folders')
  await person.press('Launch report')
  await person.see(
    'A job for the report template Copies has been launched successfully. You can monitor the job by clicking here',
  )
  await person.closed()
  expect(screen.getByRole('link', { name: 'here' }).getAttribute('href')).toBe('/settings/jobs?id=12')
  expect(api.inputs(reports.launch)).toMatchObject([{ params: { id: 4 } }])
  api.answer(refuse(reports.launch, { message: 'A run is under way' }, 409))
  await person.press('Launch Copies')
  await person.press('Launch report')
  await person.see('An error occurred while launching the report template [Copies]. A run is under way')
})

test('a report is deleted once that is confirmed, and a failure is named', async () => {
  const kept = [listedReport(4), listedReport(5, { name: 'Old' })]
  const { person, api, live } = await show([answer(reports.list, () => pageWith([...kept])), fail(reports.remove)])
  await person.press('Delete Copies')
  await person.see('Deleting the template does not remove the tags from files and folders.')
  await person.press('Delete report')
  await person.see('An error occurred while deleting the report template [Copies].')
  api.answer(answer(reports.remove, () => void kept.splice(0, 1)))
  await person.press('Delete report')
  await person.see('Report template [Copies] has been deleted successfully.')
  await person.closed()
  live.send('changed', { type: 'changed', topics: ['reports'] })
  await person.see('1 report found')
  expect(api.inputs(reports.remove).at(-1)).toMatchObject({ params: { id: 4 } })
})

test('users who may not tag see reports, and nothing to change them', async () => {
  const { person } = await show([listOf(listedReport(4))], { roles: ['ROLE_SODA_TRANSFER'] })
  await person.see('1 report found')
  expect(screen.queryByRole('button', { name: 'New report' })).toBeNull()
  await person.seeNo('Actions')
  const empty = await show([listOf()], { roles: ['ROLE_SODA_TRANSFER'] })
  await empty.person.see('No reports yet.')
  await empty.person.seeNo('Names that Windows rejects')
})

test('a list that cannot be read says why, and is read again', async () => {
  const { person, api } = await show([refuse(reports.list, { message: 'The store is away' })])
  const card = await screen.findByRole('region', { name: 'All reports' })
  await waitFor(() => expect(card.textContent).toMatch(/The store is away.*Retry/))
  api.answer(listOf(listedReport(4)))
  await person.press('Retry')
  await person.see('1 report found')
})
