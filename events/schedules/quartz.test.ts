import { expect, test } from 'vitest'
import { cronProblem } from './cron.ts'
import { toQuartz } from './quartz.ts'

test.each([
  ['0 2 * * *', '0 0 2 * * ?'],
  ['*/15 * * * *', '0 */15 * * * ?'],
  ['30 3 1,15 * *', '0 30 3 1,15 * ?'],
  ['0 22 * * 1-5', '0 0 22 ? * MON-FRI'],
  ['00 09-18 * * 1-5', '0 00 09-18 ? * MON-FRI'],
  ['0 22 * * mon-fri', '0 0 22 ? * MON-FRI'],
  ['0 4 * jan,jul 0', '0 0 4 ? JAN,JUL SUN'],
  ['0 4 * * 7', '0 0 4 ? * SUN'],
  ['0 4 * * 6,0', '0 0 4 ? * SAT,SUN'],
  ['0 4 * * 5-7', '0 0 4 ? * FRI-SUN'],
  ['0 4 * * */2', '0 0 4 ? * */2'],
  ['0 4 * * 5L', '0 0 4 ? * FRIL'],
  ['0 4 * * 1#1', '0 0 4 ? * MON#1'],
  ['@daily', '0 0 0 * * ?'],
  [' @Weekly ', '0 0 0 ? * SUN'],
])('crontab: %s becomes %s', (text, quartz) => {
  expect(toQuartz(text)).toBe(quartz)
  expect(cronProblem(quartz)).toBeUndefined()
})

test.each([
  ['0 0 2 * * *', '0 0 2 * * ?'],
  ['0 0 2 * * MON', '0 0 2 ? * MON'],
  ['0 0 2 ? * 2', '0 0 2 ? * 2'],
  ['0 0 2 1 * *', '0 0 2 1 * ?'],
  ['0 0 2 * * * 2030', '0 0 2 * * ? 2030'],
  ['0 0 2 ? * *', '0 0 2 ? * *'],
  ['0 0 2 * * ?', '0 0 2 * * ?'],
])('six fields: %s becomes %s', (text, quartz) => {
  expect(toQuartz(text)).toBe(quartz)
  expect(cronProblem(quartz)).toBeUndefined()
})

test('crontab runs on either of two days and Quartz on neither, so both are refused', () => {
  expect(cronProblem(toQuartz('0 2 13 * 5'))).toContain('may set only one of day of month and day of week')
  expect(cronProblem(toQuartz('0 0 2 1 * MON'))).toContain('may set only one of day of month and day of week')
})

test('six fields with a numbered weekday are refused, since schedulers with seconds count days differently', () => {
  for (const text of ['0 0 2 * * 1', '0 0 2 * * MON,3', '0 0 2 * * MON-5'])
    expect(cronProblem(toQuartz(text))).toContain('may set only one of day of month and day of week')
})

test('text that is not an expression stays unchanged', () => {
  for (const text of ['', '0 2', '0 2 * *', '@reboot', '0 0 0 1 * ? 2027 1']) expect(toQuartz(text)).toBe(text)
})

test('the step of days of the week starts on Sunday in both forms', () => {
  expect(cronProblem(toQuartz('0 4 * * 1-5/2'))).toBeUndefined()
  expect(toQuartz('0 4 * * 1-5/2')).toBe('0 0 4 ? * MON-FRI/2')
})
