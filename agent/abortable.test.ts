import { setImmediate as soon } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { abortable, pause } from './abortable.ts'

const ended = new Error('ended')

test('waits for a promise until the signal is aborted, then throws its reason', async () => {
  const calledOff = new AbortController()
  expect(await abortable(Promise.resolve(7), calledOff.signal)).toBe(7)
  const waiting = abortable(new Promise(() => {}), calledOff.signal)
  calledOff.abort(ended)
  await expect(waiting).rejects.toBe(ended)
})

test('a rejection after the abort is ignored and does not end the process', async () => {
  const unheard = vi.fn()
  process.on('unhandledRejection', unheard)
  onTestFinished(() => void process.off('unhandledRejection', unheard))
  await expect(abortable(Promise.reject(new Error('too late')), AbortSignal.abort(ended))).rejects.toBe(ended)
  await soon()
  expect(unheard).not.toHaveBeenCalled()
})

test('a pause ends after its time, or with the reason of the abort', async () => {
  const calledOff = new AbortController()
  await pause(1, calledOff.signal)
  const long = pause(60_000, calledOff.signal)
  calledOff.abort(ended)
  await expect(long).rejects.toBe(ended)
  await expect(pause(60_000, calledOff.signal)).rejects.toBe(ended)
})
