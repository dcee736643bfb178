import { expect, test } from 'vitest'
import { type Report, ReportDraft } from '#events/reports/templates.ts'
import { newCondition, newGroup } from '#events/search/string-format/conditions.ts'
import { midnight } from '#client/parts/cron/timing.ts'
import { readyReports } from './readyReports.ts'
import {
  type ChosenSource,
  emptyReport,
  fieldsOfCriteria,
  fieldsOfReady,
  type ReportFields,
  reportForm,
  toggled,
} from './reportForm.ts'

const films: ChosenSource = { type: 'VOLUME', id: 1, name: 'Films', path: '/' }
const raw = { ...films, path: '/raw' }
const draftOf = (fields: ReportFields) => reportForm.toDraft(fields, 'new')
const reportErrors = (fields: ReportFields) => reportForm.errors(fields)
const today = new Date('2026-11-25T12:00:00')
const compared = {
  ...emptyReport(),
  name: 'Copies',
  type: 'DUPLICATED' as const,
  references: [films],
  comparison: [raw],
}

test.each(readyReports)('$name is whole as it is, but for data that one chooses', ({ key, type }) => {
  const wrong = Object.keys(reportErrors(fieldsOfReady(key, today)))
  expect(wrong.toSorted()).toEqual(type === 'SEARCH_QUERY' ? [] : ['comparison', 'references'])
})

test('a report is sent in the form of the server, and read back unchanged', () => {
  const fields = { ...compared, tags: ['later'], runs: midnight, addresses: 'ana@example.com', webhook: ' ' }
  const draft = ReportDraft.parse(draftOf(fields))
  expect(draft.parameters).toMatchObject({
    references: [{ id: 1, type: 'VOLUME', path: '/' }],
    comparison: [{ id: 1, type: 'VOLUME', path: '/raw' }],
    searchQueryNode: null,
  })
  expect(draft).toMatchObject({ schedule: { cron: '0 0 0 * * ?', paused: false }, delivery: { webhook: null } })
  const named = (sources: object[]) => sources.map((source) => ({ ...source, volumeName: 'Films' }))
  const { references, comparison, ...rest } = draft.parameters
  const parameters = { references: named(references), comparison: named(comparison), ...rest }
  const shown = reportForm.initial({ ...draft, parameters } as unknown as Report)
  expect(draftOf(shown)).toEqual(draftOf(fields))
})

test('fields that only a report of another type needs are not sent', () => {
  const group = newGroup('AND', [{ ...newCondition(), value: '*.mov' }])
  const { parameters } = draftOf({ ...compared, type: 'SEARCH_QUERY', group })
  expect(parameters).toMatchObject({ references: [], comparison: [] })
  expect(parameters.searchQueryNode?.searchQueries).toEqual([{ name: { wildcard: '*.mov' } }])
})

test('the wizard says what is missing where it is chosen', () => {
  expect(reportErrors({ ...compared, name: ' ' })).toEqual({ name: 'Name must not be blank' })
  expect(reportErrors({ ...compared, comparison: [] })).toEqual({
    comparison: 'Comparison must have at least one data source',
  })
  expect(Object.keys(reportErrors({ ...compared, retention: '' }))).toEqual(['retention'])
  expect(Object.keys(reportErrors({ ...compared, retention: 0 }))).toEqual(['retention'])
  expect(
    Object.keys(reportErrors({ ...compared, runs: { ...midnight, frequency: 'CUSTOM', custom: 'never' } })),
  ).toEqual(['runs'])
  expect(Object.keys(reportErrors({ ...compared, addresses: 'ana' }))).toEqual(['addresses'])
  expect(
    Object.keys(reportErrors({ ...compared, checks: [{ rule: 'MORE_FILES_THAN', value: '', level: 'FAIL' }] })),
  ).toEqual(['checks'])
  expect(Object.keys(reportErrors({ ...emptyReport(), name: 'Old', type: 'SEARCH_QUERY' }))).toEqual(['group'])
  expect(reportErrors({ ...compared, isFiltered: true })).toEqual({ group: 'Complete at least one condition' })
})

test('a search of another screen becomes a report of its conditions', () => {
  const fields = { ...fieldsOfCriteria('[{"size":{"min":1024}}]'), name: 'Large' }
  expect(reportErrors(fields)).toEqual({})
  expect(draftOf(fields).parameters.searchQueryNode?.searchQueries).toEqual([{ size: { min: 1024 } }])
})

test('a data source is there once, and taken away by choosing it again', () => {
  expect(toggled([films], raw)).toEqual([films, raw])
  expect(toggled([films, raw], { ...films })).toEqual([raw])
})
