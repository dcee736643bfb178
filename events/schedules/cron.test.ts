import { expect, test } from 'vitest'
import { cronFields, cronNumbers, cronProblem, frequencyProblem } from './cron.ts'

const right = [
  '0 0 0 * * ?',
  '0 0 0 ? * MON',
  '0 0 0 1 * ?',
  '0 0 12 * * ?',
  '0 0 */4 * * ?',
  '0 0 0/4 * * ?',
  '0 5/15 8-18/2 ? * mon-FRI',
  '0,30 0 0 1,15,L * ?',
  '0 0 0 LW * ?',
  '0 0 0 15W JAN,MAR ?',
  '0 0 0 ? * 6L',
  '0 0 0 ? * FRIL',
  '0 0 0 ? * L',
  '0 0 0 L-3 * ?',
  '0 0 0 L-30,L-2W * ?',
  '0 0 3 ? * FRI-MON',
  '0 0 22-2/2 ? NOV-FEB SAT-SUN',
  '0 0 0 ? * 6#3',
  '0 0 0 ? * MON#1,FRI#5',
  '0 0 0 1 1 ? 2027',
  '  0  0 0 1 1 ? 2027-2099/2 ',
]
test.each(right)('%s can be read', (text) => expect(cronProblem(text)).toBeUndefined())

const wrong: [string, string][] = [
  ['', 'must have 6 or 7 fields'],
  ['0 0 * * ?', 'must have 6 or 7 fields'],
  ['@daily', 'must have 6 or 7 fields'],
  ['0 0 0 1 * ? 2027 1', 'must have 6 or 7 fields'],
  ['0 0 0 * * *', 'may set only one of day of month and day of week, the other must be ?'],
  ['0 0 0 1 * MON', 'may set only one of day of month and day of week, the other must be ?'],
  ['0 0 0 ? * ?', 'must set one of day of month and day of week'],
  ['60 0 0 * * ?', 'has a wrong seconds: 60 is not a number from 0 to 59'],
  ['0 x 0 * * ?', 'has a wrong minutes: X is not a number from 0 to 59'],
  ['0 0 24 * * ?', 'has a wrong hours: 24'],
  ['0 0 L * * ?', 'has a wrong hours: L is not a number'],
  ['? 0 0 * * ?', 'has a wrong seconds: ? may stand only for one of the two days'],
  ['0 0 0 0 * ?', 'has a wrong day of month: 0'],
  ['0 0 0 32W * ?', 'has a wrong day of month: 32W'],
  ['0 0 0 W * ?', 'has a wrong day of month: W'],
  ['0 0 0 L-31 * ?', 'has a wrong day of month: L is not'],
  ['0 0 0 L-0 * ?', 'has a wrong day of month: L is not'],
  ['0 0 0 1,? * ?', 'has a wrong day of month: ? cannot be read'],
  ['0 0 0 1 13 ?', 'has a wrong month: 13 is not one of JAN, FEB'],
  ['0 0 0 1 MON ?', 'has a wrong month: MON'],
  ['0 0 0 ? * 0', 'has a wrong day of week: 0 is not one of SUN'],
  ['0 0 0 ? * 8', 'has a wrong day of week: 8'],
  ['0 0 0 ? * 6#6', 'has a wrong day of week: 6#6 cannot be read'],
  ['0 0 0 ? * 15W', 'has a wrong day of week: 15W'],
  ['0 0 0 1 1 ? 2030-2027', 'has a wrong year: 2030-2027 must go from the lower'],
  ['*/0 0 0 * * ?', 'has a wrong seconds: the step 0'],
  ['0 */90 0 * * ?', 'has a wrong minutes: the step 90'],
  ['0,,1 0 0 * * ?', 'has a wrong seconds: a value is missing next to a comma'],
  ['0 1- 0 * * ?', 'has a wrong minutes: 1- cannot be read'],
  ['0 /2 0 * * ?', 'has a wrong minutes: /2 cannot be read'],
  ['0 0 0 1 1 ? 1969', 'has a wrong year: 1969 is not a number from 1970 to 2099'],
  ['0 0 0 1 1 ? 2100', 'has a wrong year: 2100'],
]
test.each(wrong)('%s is refused with the field', (text, problem) => expect(cronProblem(text)).toContain(problem))

test('a field is unfolded to the numbers it names', () => {
  const [seconds, , hours] = cronFields
  expect(cronNumbers('50/5,3,1-2', seconds)).toEqual([1, 2, 3, 50, 55])
  expect(cronNumbers('*/6', hours)).toEqual([0, 6, 12, 18])
  expect(cronNumbers('8-18/5,23', hours)).toEqual([8, 13, 18, 23])
  expect(cronNumbers('*', hours)).toHaveLength(24)
  expect(cronNumbers('22-2', hours)).toEqual([0, 1, 2, 22, 23])
  expect(cronNumbers('FRI-MON', cronFields[5])).toEqual([1, 2, 6, 7])
  expect(cronNumbers('NOV-FEB/2', cronFields[4])).toEqual([1, 11])
})

test('an expression with several times in a minute is named as such, however it is written', () => {
  for (const seconds of ['*', '*/30', '0,30', '0-1', '5/50', '59-0'])
    expect([seconds, frequencyProblem(`${seconds} 0 0 * * ?`)]).toEqual([
      seconds,
      'may run at most once a minute: the seconds must be a single number, such as 0',
    ])
  for (const seconds of ['0', '59', '7-7', '30,30', '59/2'])
    expect([seconds, frequencyProblem(`${seconds} * * * * ?`)]).toEqual([seconds, undefined])
})
