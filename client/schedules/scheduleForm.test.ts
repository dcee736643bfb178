import { expect, test } from 'vitest'
import type { Schedule, ScannerClass } from '#events/schedules/calls.ts'
import { nightly } from '#client/parts/cron/timing.ts'
import { jobClasses } from './jobClasses.ts'
import { type ScheduleFields, maySave, scheduleForm } from './scheduleForm.tsx'

const filled = (jobClass: ScheduleFields['jobClass'], more: Partial<ScheduleFields> = {}): ScheduleFields => ({
  ...scheduleForm.fields,
  name: 'Nightly',
  timing: { ...nightly, time: '03:00' },
  jobClass,
  ...more,
})

const draftOf = (fields: ScheduleFields) => scheduleForm.toDraft(fields, 'new')
const told = { id: 7, nextRuns: [], lastRun: null }

test('a schedule keeps its fields from form to draft and back', () => {
  const kept: [ScannerClass, Partial<ScheduleFields>][] = [
    ['SCAN_ALL_VOLUMES', { cloneIndex: false }],
    ['SCAN_SERVER', { serverId: '3' }],
    ['SCAN_VOLUMES', { chosen: ['1', '4'], paused: true }],
    ['SCAN_BUCKETS', { chosen: ['9'] }],
    ['SCAN_DELL_POWER_SCALES', { chosen: ['2'], isDeltaScan: false, cloneIndex: false }],
    ['SCAN_ARCHIWARES', { chosen: ['2', '5'] }],
    ['SCAN_STORAGES', { paths: [{ id: '4', path: '/films' }] }],
    ['SCAN_ALL_STORAGES', {}],
  ]
  for (const [jobClass, more] of kept) {
    const fields = filled(jobClass, more)
    expect(scheduleForm.fromRow?.({ ...draftOf(fields), ...told } as Schedule)).toEqual(fields)
  }
})

test('only the fields of the chosen job are sent', () => {
  const all = { serverId: '3', chosen: ['1'], paths: [{ id: '2', path: '/' }] }
  expect(draftOf(filled('SCAN_VOLUMES', all)).payload).toEqual({ volumes: [1], cloneIndex: true })
  expect(draftOf(filled('SCAN_ALL_STORAGES', all)).payload).toEqual({})
})

test('a delta scan forces the index to be cloned, where there are delta scans', () => {
  const wanted = { chosen: ['2'], isDeltaScan: true, cloneIndex: false }
  expect(draftOf(filled('SCAN_ARCHIWARES', wanted)).payload).toMatchObject({ isDeltaScan: true, cloneIndex: true })
  expect(draftOf(filled('SCAN_VOLUMES', wanted)).payload).toEqual({ volumes: [2], cloneIndex: false })
})

test('nothing can be saved without a name, a time and a job', () => {
  expect(maySave(filled('SCAN_ALL_VOLUMES'))).toBe(true)
  expect(maySave(filled(''))).toBe(false)
  expect(maySave(filled('SCAN_ALL_VOLUMES', { name: ' ' }))).toBe(false)
  expect(maySave(filled('SCAN_ALL_VOLUMES', { timing: { ...nightly, time: '' } }))).toBe(false)
})

test('nothing can be saved without the required fields of the job', () => {
  expect(maySave(filled('SCAN_VOLUMES'))).toBe(false)
  expect(maySave(filled('SCAN_VOLUMES', { chosen: ['1'] }))).toBe(true)
  expect(maySave(filled('SCAN_SERVER', { serverId: '0' }))).toBe(false)
  expect(maySave(filled('SCAN_SERVER', { serverId: '1' }))).toBe(true)
  expect(maySave(filled('SCAN_STORAGES', { paths: [{ id: '', path: '/' }] }))).toBe(false)
  expect(maySave(filled('SCAN_STORAGES', { paths: [{ id: '1', path: '/' }] }))).toBe(true)
})

test('an existing schedule opens in the simple form if its times fit', () => {
  const row = { ...draftOf(filled('SCAN_ALL_VOLUMES')), ...told } as Schedule
  const opened = (cron: string) => scheduleForm.fromRow?.({ ...row, cron }).timing
  expect(opened('0 30 2 ? * MON')).toMatchObject({ frequency: 'WEEKLY', time: '02:30', weekday: 'MON' })
  expect(opened('0 0 */4 * * ?')).toMatchObject({ frequency: 'CUSTOM', custom: '0 0 */4 * * ?' })
})

test('sources of every kind can be scheduled', () => {
  const chosen = { chosen: ['1'], serverId: '1', paths: [{ id: '1', path: '/' }] }
  const classes = Object.keys(jobClasses) as ScannerClass[]
  expect(classes.filter((jobClass) => !maySave(filled(jobClass, chosen)))).toEqual([])
})
