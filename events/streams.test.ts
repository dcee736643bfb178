import { expect, test } from 'vitest'
import { jobIdOfStream, jobStreamPrefix, streamLabel, streamNames } from './streams.ts'

test('the name of a stream contains its kind, and the name of a job stream its ID', () => {
  expect(streamNames.job(42)).toBe(`${jobStreamPrefix}42`)
  expect(jobIdOfStream(streamNames.job(42))).toBe(42)
  expect(streamNames.session('0123456789abcdef0123')).toBe('session-0123456789abcdef')
  expect([streamNames.job(42), streamNames.priceBook(3), streamNames.api].map(streamLabel)).toEqual([
    'job 42',
    'storage price 3',
    'api',
  ])
})

test('only streams of jobs are', () => {
  expect(['job-4', 'job-retention', 'job-4x', 'my-job-4', 'job-'].map(jobIdOfStream)).toEqual([
    4,
    ...Array(4).fill(undefined),
  ])
})
