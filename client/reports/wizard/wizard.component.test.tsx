import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { EntrySummary } from '#events/entries.ts'
import { folderByPath, partOfFolder } from '#events/folders/browse.ts'
import { projects } from '#events/projects/calls.ts'
import { dataSourceTypes, reports, reportTypes } from '#events/reports/calls.ts'
import { ReportType, SourceType } from '#events/reports/templates.ts'
import { schedules } from '#events/schedules/calls.ts'
import { searchEntriesSizes, searchFieldTypes } from '#events/search/criteria.ts'
import { volumes } from '#events/snapshots.ts'
import { knownTags } from '#events/tags.ts'
import { exampleProject, listedProject } from '#client/testing/exampleProject.ts'
import { entry, entryPage, volume, volumePage } from '#client/testing/examples.ts'
import { answer, type FakeAnswer, pageWith, refuse } from '#client/testing/fakeApi.ts'
import { listedReport, report } from '#client/testing/reportExamples.ts'
import { open, type OpenedPage } from '#client/testing/render.tsx'

const defaultAnswers = [
  answer(reports.list, pageWith([listedReport(4)])),
  answer(reportTypes, [...ReportType.options]),
  answer(dataSourceTypes, [...SourceType.options]),
  answer(volumes, volumePage([volume(1, { name: 'Films' }), volume(2, { name: 'Archive' })])),
  answer(projects.list, pageWith([])),
  answer(folderByPath, ({ query: { path } }) => ({ exists: true, folder: { volumeId: 1, path } })),
  answer(knownTags, []),
  answer(searchFieldTypes, { name: 'string' }),
  answer(searchEntriesSizes, { count: 3, size: 3_072 }),
  answer(schedules.preview, { times: [], timeZone: 'UTC' }),
]
const show = (address: string, ...answers: FakeAnswer[]) => open(address, { answers: [...defaultAnswers, ...answers] })
const dialog = async () => within(await screen.findByRole('dialog'))
const step = async () => (await dialog()).getByRole('listitem', { current: 'step' }).textContent
const next = async ({ person }: OpenedPage, ...titles: RegExp[]) => {
  for (const title of titles) {
    await person.press('Next')
    await waitFor(async () => expect(await step()).toMatch(title))
  }
}
const address = () => location.pathname + location.search

test('a folder of a project is selected, which shares contents with a folder of the project', async () => {
  const opened = await show(
    '/reports?wizard=new',
    answer(projects.list, pageWith([listedProject(7, 'Alpine')])),
    answer(projects.find, exampleProject({ id: 7 })),
    answer(partOfFolder, ({ query }) =>
      entryPage([EntrySummary.parse(entry(`${query.path}/takes`, { isDirectory: true })) as never]),
    ),
  )
  const { person, api } = opened
  await person.write('Name', 'Twice')
  await person.choose('Type', 'Copies')
  await next(opened, /Select Reference Data/)
  await person.press('Project', 'radio')
  await person.press('Choose a folder of Alpine')
  const input = await screen.findByLabelText<HTMLInputElement>('Path', { selector: 'input' })
  expect(input.value).toBe('/raw/alpine')
  await person.choose('Folder of the project', 'Archive /alpine')
  await person.write('Path', '/elsewhere')
  await person.see('The project has nothing in this folder.')
  expect(await person.isDisabled('Add folder')).toBe(true)
  await person.press('Choose the path from folders')
  await person.press('Choose /alpine/takes')
  await person.press('Add folder')
  await (await dialog()).findByRole('button', { name: 'Remove /alpine/takes of Alpine' })
  expect(api.inputs(projects.find)).toMatchObject([{ params: { id: 7 } }])
})

test('a report of duplicates is made step by step, and launched', async () => {
  const opened = await show(
    '/reports?wizard=new',
    answer(reports.create, { id: 5, name: 'Twice' }),
    answer(reports.launch, { jobId: 12 }),
  )
  const { person, api } = opened
  await waitFor(async () => expect(await step()).toMatch(/Configure Report Template/))
  expect(await person.isDisabled('Next')).toBe(true)
  await person.write('Name', 'Twice')
  await person.choose('Type', 'Copies')
  await person.see('Files in the comparison data that are also in the reference data.')
  await person.write('Retention (days)', '')
  expect(await person.isDisabled('Next')).toBe(true)
  await person.write('Retention (days)', '14')

  await next(opened, /Select Reference Data/)
  await person.see('No data sources yet.')
  expect(await person.isDisabled('Next')).toBe(true)
  await person.press(/^Films/)
  await next(opened, /Select Comparison Data/)
  await person.press('Choose a folder of Archive')
  await person.write('Path', 'alpine')
  await person.see('Path must begin with /')
  await person.write('Path', '/alpine{Enter}')
  await (await dialog()).findByRole('button', { name: 'Remove /alpine of Archive' })

  await next(opened, /Add Search Queries/)
  await person.press('Add search queries', 'checkbox')
  await waitFor(async () => expect(await person.isDisabled('Next')).toBe(true))
  await person.press('Add search queries', 'checkbox')
  await next(opened, /Add Optional Tags/)
  await person.fill(await (await dialog()).findByLabelText('Tags', { selector: 'input' }), 'twice{Enter}')

  await next(opened, /Review/)
  await person.choose('Runs', 'Monthly')
  await person.write('Time', '6:30')
  await person.press('Add a check')
  await person.fill((await dialog()).getByLabelText('Email addresses'), 'nobody')
  await waitFor(async () => expect(await person.isDisabled('Save')).toBe(true))
  await person.fill((await dialog()).getByLabelText('Email addresses'), 'ana@example.com')
  await person.choose('Send', 'Only if a check does not pass')
  for (const text of ['Archive /alpine', '14 days']) await person.see(text)
  await person.press('Save')
  await person.see('Report template [Twice] has been created successfully.')
  await person.see('A job for the report template Twice has been launched successfully.')
  await person.closed()
  expect(address()).toBe('/reports')
  expect(api.inputs(reports.launch)).toMatchObject([{ params: { id: 5 } }])
  expect(api.inputs(reports.create)).toMatchObject([
    {
      body: {
        name: 'Twice',
        type: 'DUPLICATED',
        retention: 14,
        tags: ['twice'],
        parameters: {
          references: [{ type: 'VOLUME', id: 1, path: '/' }],
          comparison: [{ type: 'VOLUME', id: 2, path: '/alpine' }],
          searchQueryNode: null,
        },
        schedule: { cron: '0 30 6 1 * ?', paused: false },
        delivery: {
          addresses: ['ana@example.com'],
          webhook: null,
          webhookFormat: 'AUTO',
          webhookTemplate: null,
          when: 'CHECK_NOT_PASSED',
        },
        checks: [{ rule: 'MORE_FILES_THAN', value: 0, level: 'FAIL' }],
      },
    },
  ])
})

test('a template opens at its review, and brings its query', async () => {
  const opened = await show('/reports?wizard=new', answer(reports.create, { id: 5, name: 'Empty folders' }))
  const { person, api } = opened
  await person.choose('Start from', 'Empty folders')
  await waitFor(async () => expect(await step()).toMatch(/Review/))
  await person.press(/Add Search Queries/)
  const conditions = within(await screen.findByRole('region', { name: 'Conditions' }))
  const text = conditions.getByLabelText<HTMLTextAreaElement>('String format')
  await waitFor(() => expect(text.value).toBe('Folder is yes AND Number of files is at most 0'))
  await next(opened, /Tags/, /Review/)
  await person.press('Launch the report after saving', 'checkbox')
  await person.press('Save')
  await person.see('Report template [Empty folders] has been created successfully.')
  await person.closed()
  expect(api.inputs(reports.launch)).toEqual([])
  expect(api.inputs(reports.create)).toMatchObject([
    { body: { name: 'Empty folders', type: 'SEARCH_QUERY', retention: 30, schedule: null, checks: [] } },
  ])
})

test('a search becomes a report, and a name that is taken is marked at its field', async () => {
  const criteria = [{ size: { min: 1_024 } }]
  const subErrors = [{ field: 'name', message: 'must not be the name of another report' }]
  const opened = await show(
    `/reports?wizard=new&criteria=${encodeURIComponent(JSON.stringify(criteria))}`,
    refuse(reports.create, { message: 'Validation errors', subErrors }, 400),
  )
  const { person, api } = opened
  await person.write('Name', 'Copies')
  await next(opened, /Queries/, /Tags/, /Review/)
  await person.see('Size is at least 1 KiB')
  await person.press('Save')
  await person.see(
    'Something went wrong while trying to create the report template. Name must not be the name of another report',
  )
  await waitFor(async () => expect(await step()).toMatch(/Configure Report Template/))
  await waitFor(async () =>
    expect(document.activeElement).toBe((await dialog()).getByRole('textbox', { name: 'Name' })),
  )
  expect((await dialog()).getByRole('textbox', { name: 'Name' }).getAttribute('aria-invalid')).toBe('true')
  expect(api.inputs(reports.create)).toMatchObject([{ body: { type: 'SEARCH_QUERY' } }])
  await person.press('Cancel')
  await person.closed()
  expect(address()).toBe('/reports')
})

test('a report is changed, except for its name', async () => {
  const opened = await show(
    '/reports',
    answer(reports.find, report(4)),
    answer(reports.update, { id: 4, name: 'Copies' }),
  )
  const { person, api } = opened
  await person.press('Edit Copies')
  await waitFor(async () => expect(await step()).toMatch(/Configure Report Template/))
  expect(await person.isDisabled('Name', 'textbox')).toBe(true)
  await person.choose('Type', 'Without a copy')
  await next(opened, /Reference/, /Comparison/, /Queries/, /Tags/, /Review/)
  await person.press('Remove check 1')
  await person.see('A check runs after each report run')
  await person.press('Launch the report after saving', 'checkbox')
  await person.press('Save')
  await person.see('Report template [Copies] has been updated successfully.')
  await person.closed()
  expect(api.inputs(reports.launch)).toEqual([])
  expect(api.inputs(reports.update)).toMatchObject([
    {
      params: { id: 4 },
      body: {
        type: 'UNIQUE',
        checks: [],
        tags: ['twice'],
        schedule: { cron: '0 0 0 1 * ?' },
        parameters: { references: [{ id: 1, path: '/' }], comparison: [{ id: 2, path: '/alpine' }] },
      },
    },
  ])
})

test('a template that compares data opens where the data is selected', async () => {
  const { person } = await show('/reports?wizard=new&ready=missing')
  await waitFor(async () => expect(await step()).toMatch(/Select Reference Data/))
  await person.see('No data sources yet.')
})
