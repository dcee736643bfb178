import { expect, test } from 'vitest'
import { cronWords, loadCronWords } from './words.state.ts'

test.for<[string, string]>([
  ['0 0 2 * * ?', 'Every day at 02:00'],
  ['0 0 5 ? * SUN', 'Every Sunday at 05:00'],
  ['0 0 6 ? * MON-FRI', 'At 06:00, Monday through Friday'],
  ['0 30 6 ? 1 TUE', 'At 06:30, only on Tuesday, only in January'],
  ['0 0 */4 * * ?', 'On the hour, every 4 hours'],
])('%s reads as %s', async ([cron, words]) => {
  await loadCronWords()
  expect(cronWords.reader?.read(cron)).toBe(words)
})
