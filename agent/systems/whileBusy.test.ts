import { expect, test } from 'vitest'
import { retryAfterMs } from './http/answer.ts'
import { maxAttempts, pauseMs } from './whileBusy.ts'

const pausesOf = (namedMs: number | undefined) =>
  Array.from({ length: maxAttempts - 1 }, (_, i) => pauseMs(namedMs, i + 1))
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

// restic/restic#4018: a store that limited rates was abandoned after 15 seconds.
test.each([undefined, 1_000, 5_000])('a busy store is abandoned after more than a minute (named: %s ms)', (namedMs) => {
  expect(sum(pausesOf(namedMs))).toBeGreaterThan(60_000)
})

// aws/aws-sdk-net#4341: with a random part alone, pauses came close to nothing.
test('a pause is at least half of its time, and never shorter than the time that the store names', () => {
  for (let n = 0; n < 100; n++) {
    expect(pauseMs(undefined, 4)).toBeGreaterThanOrEqual(1_000)
    expect(pauseMs(700, 1)).toBeGreaterThanOrEqual(700)
    expect(pauseMs(300_000, 1)).toBeGreaterThanOrEqual(300_000)
  }
})

test('pauses of the same time end at different times', () => {
  for (const namedMs of [undefined, 2_000])
    expect(new Set(Array.from({ length: 50 }, () => pauseMs(namedMs, 1))).size).toBeGreaterThan(40)
})

// rclone/rclone#5156: Dropbox asks for five minutes.
test('a wait of minutes is respected, and one of hours is not', () => {
  expect(retryAfterMs('300')).toBe(300_000)
  expect(retryAfterMs(new Date(Date.now() + 120_000).toUTCString())).toBeGreaterThan(110_000)
  expect(retryAfterMs('86400')).toBe(900_000)
  for (const unusable of [undefined, '', 'soon']) expect(retryAfterMs(unusable)).toBe(undefined)
})
