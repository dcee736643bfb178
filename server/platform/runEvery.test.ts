import { expect, test } from 'vitest'
import { openLog } from './logger.ts'
import { runEvery } from './runEvery.ts'

test('a round begins at once, again after one that failed, and never while one is under way', async () => {
  const rounds: ReturnType<typeof Promise.withResolvers<void>>[] = []
  let underWay = 0
  const work = async () => {
    expect(++underWay).toBe(1)
    rounds.push(Promise.withResolvers<void>())
    await rounds.at(-1)?.promise.finally(() => underWay--)
  }
  const running = runEvery(1, work, 'It failed', await openLog(undefined))
  expect(rounds).toHaveLength(1)
  rounds[0]?.reject(new Error('Not this time'))
  await expect.poll(() => rounds.length).toBe(2)
  rounds[1]?.resolve()
  await expect.poll(() => rounds.length).toBe(3)
  let isStopped = false
  const stopping = running.stop().then(() => (isStopped = true))
  expect(isStopped).toBe(false)
  rounds[2]?.resolve()
  await stopping
  expect(rounds).toHaveLength(3)
})
