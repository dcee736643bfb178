import { expect, test } from 'vitest'
import type { Schedule } from '#events/schedules/calls.ts'
import { midnight } from '#client/parts/cron/timing.ts'
import { type AlertFields, alertForm } from './alertForm.tsx'

const filled = (more: Partial<AlertFields> = {}): AlertFields => ({
  ...alertForm.fields,
  name: 'Nearly full',
  watches: 'CHOSEN',
  resourceIds: ['3'],
  ...more,
})
const draftOf = (fields: AlertFields) => alertForm.toDraft(fields, 'new')
const alertErrors = (fields: AlertFields) => alertForm.errors(fields)
const kept = (fields: AlertFields) => ({ ...draftOf(fields), id: 1, nextRuns: [], lastRun: null }) as Schedule

test('an alert keeps its fields from form to draft and back', () => {
  for (const fields of [
    filled(),
    filled({ timing: { ...midnight, frequency: 'MONTHLY' }, threshold: 0, jobClass: 'PROJECT_SPACE_ALERT' }),
    filled({ jobClass: 'REPORT_CHECK_ALERT', repeatHours: 0 }),
    filled({ clearThreshold: 70, repeatHours: 24 }),
    filled({ watches: 'ALL', resourceIds: [] }),
    filled({ jobClass: 'SCAN_OVERDUE_ALERT', days: 3 }),
    filled({ jobClass: 'SCAN_FAILED_ALERT' }),
    filled({ jobClass: 'MASS_CHANGE_ALERT', files: 5_000 }),
    filled({ measure: 'GROWTH_BYTES', growthSize: '2', growthUnit: 'TB' }),
    filled({ recipients: { email: false, channelIds: [4, 7] } }),
    filled({ jobClass: 'PROJECT_SPACE_ALERT', measure: 'GROWTH', growthDays: 30 }),
    filled({ timing: { ...midnight, frequency: 'CUSTOM', custom: '0 30 6 ? JAN TUE' }, resourceIds: ['1', '2'] }),
  ])
    expect(alertForm.fromRow?.(kept(fields))).toEqual(fields)
})

test('a custom expression that says what a preset says is shown as that preset', () => {
  const fields = filled({ timing: { ...midnight, frequency: 'CUSTOM', custom: '0 0 0 ? * MON' } })
  expect(alertForm.fromRow?.(kept(fields))).toMatchObject({ timing: { frequency: 'WEEKLY' } })
})

test('an alert needs something to watch, and a threshold from 0 to 100', () => {
  expect(alertErrors(filled())).toEqual({})
  expect(alertErrors(filled({ resourceIds: [] }))).toEqual({ resourceIds: 'You must select at least 1 resource' })
  const between = { threshold: 'Threshold must be between 0 and 100' }
  for (const threshold of [-1, 100.5, ''] as const) expect(alertErrors(filled({ threshold }))).toEqual(between)
  expect([0, 100].map((threshold) => alertErrors(filled({ threshold })))).toEqual([{}, {}])
})

test('the clearing threshold is not above the threshold, and the interval is whole hours', () => {
  expect(alertErrors(filled({ clearThreshold: 80 }))).toEqual({})
  expect(alertErrors(filled({ clearThreshold: 81 }))).toEqual({ clearThreshold: 'Must not be above the threshold' })
  const hours = { repeatHours: 'Hours must be a whole number between 0 and 8760' }
  for (const repeatHours of ['', -1, 1.5] as const) expect(alertErrors(filled({ repeatHours }))).toEqual(hours)
})

test('an alert of checks has no threshold to be wrong', () => {
  const fields = filled({ jobClass: 'REPORT_CHECK_ALERT', threshold: '' })
  expect([alertErrors(fields), draftOf(fields).payload]).toEqual([{}, { resourceIds: [3], repeatHours: 12 }])
})

test('an alert of mass changes needs at least 100 files', () => {
  const mass = (files: number | '') => filled({ jobClass: 'MASS_CHANGE_ALERT', files })
  expect(alertErrors(mass(100))).toEqual({})
  for (const files of [99, 1_000_001, 100.5, ''] as const)
    expect(alertErrors(mass(files))).toEqual({ files: 'Files must be a whole number between 100 and 1000000' })
  expect(draftOf(mass(500)).payload).toMatchObject({ files: 500, resourceIds: [3] })
})

test('an error of the expression is shown at the times', () => {
  const timing = { ...midnight, frequency: 'CUSTOM' as const, custom: '0 0 0 1 * MON' }
  expect(alertErrors(filled({ timing }))).toHaveProperty('timing')
})

test('growth is within a year and at least one day', () => {
  const growing = (growthDays: number | '', more: Partial<AlertFields> = {}) =>
    filled({ jobClass: 'PROJECT_SPACE_ALERT', measure: 'GROWTH', growthDays, ...more })
  expect([growing(1), growing(365)].map(alertErrors)).toEqual([{}, {}])
  for (const days of [0, 366, 1.5, ''] as const)
    expect(alertErrors(growing(days))).toEqual({ growthDays: 'Days must be a whole number between 1 and 365' })
  expect(draftOf(growing(7, { jobClass: 'SCAN_FAILED_ALERT' })).payload).not.toHaveProperty('growthDays')
})
