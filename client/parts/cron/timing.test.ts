import { expect, test } from 'vitest'
import { midnight, alertFrequencies, readTime, scanFrequencies, timingCron, timingOf, timingProblem } from './timing.ts'

const opened = (cron: string) => timingOf(cron, scanFrequencies, midnight)

test.each([
  ['0 15 * * * ?', { frequency: 'HOURLY', minute: 15 }],
  ['0 0 2 * * ?', { frequency: 'DAILY', time: '02:00' }],
  ['0 0 2 ? * *', { frequency: 'DAILY', time: '02:00' }],
  ['0 30 22 ? * SUN', { frequency: 'WEEKLY', time: '22:30', weekday: 'SUN' }],
  ['0 0 3 ? * 2', { frequency: 'WEEKLY', weekday: 'MON' }],
  ['0 0 3 ? * 2-6', { frequency: 'WEEKLY', weekday: 'MON-FRI' }],
  ['0 0 0 1 * ?', { frequency: 'MONTHLY', day: '1', time: '00:00' }],
  ['0 0 6 L * ?', { frequency: 'MONTHLY', day: 'L' }],
])('%s opens in the simple form, and is saved with the same times', (cron, fields) => {
  const timing = opened(cron)
  expect(timing).toMatchObject(fields)
  expect(opened(timingCron(timing))).toEqual(timing)
})

test.each([
  '0 0 */4 * * ?',
  '*/2 * * * * ?',
  '0 0 2 * JAN ?',
  '0 0 2 31 * ?',
  '0 0 2 ? * MON,FRI',
  '0 0 2 * * ? 2030',
  'x',
])('%s opens as an expression', (cron) => expect(opened(cron)).toMatchObject({ frequency: 'CUSTOM', custom: cron }))

test('alerts and reports have no hourly preset, so an hourly expression is custom', () => {
  expect(timingOf('0 15 * * * ?', alertFrequencies, midnight)).toMatchObject({ frequency: 'CUSTOM' })
  const crons = (['DAILY', 'WEEKLY', 'MONTHLY', 'CUSTOM'] as const).map((frequency) =>
    timingCron({ ...midnight, frequency }),
  )
  expect(crons).toEqual(['0 0 0 * * ?', '0 0 0 ? * MON', '0 0 0 1 * ?', '0 0 12 * * ?'])
})

test('times of day are read as people write them', () => {
  expect(['2', '2:30', '02:30', '1430', '2:30 pm', '12am', '12 PM', '9 a.m.'].map(readTime)).toEqual([
    { hour: 2, minute: 0 },
    { hour: 2, minute: 30 },
    { hour: 2, minute: 30 },
    { hour: 14, minute: 30 },
    { hour: 14, minute: 30 },
    { hour: 0, minute: 0 },
    { hour: 12, minute: 0 },
    { hour: 9, minute: 0 },
  ])
  for (const text of ['', '24:00', '2:60', '13 pm', 'noon', '2:3']) expect(readTime(text)).toBeUndefined()
})

test('an incomplete time is named', () => {
  expect(timingProblem({ ...midnight, time: '25:00' })).toBe('Time must be a time of day, such as 02:00')
  expect(timingProblem({ ...midnight, frequency: 'HOURLY', minute: 60 })).toBe(
    'Minute must be a whole number from 0 to 59',
  )
  expect(timingProblem(midnight)).toBeUndefined()
})

test('five fields of crontab are converted when they are saved', () => {
  expect(timingCron({ ...midnight, frequency: 'CUSTOM', custom: '0 2 * * 1-5' })).toBe('0 0 2 ? * MON-FRI')
})
