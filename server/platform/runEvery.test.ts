import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openLog } from './logger.ts'
import { newItemLoop, runEvery } from './runEvery.ts'

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

const lines: { level: number; msg: string; item?: string; reason?: string }[] = []
const itemLog = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })

test('an item that fails keeps no other one waiting, and is given up with its reason after five failures', async () => {
  let now = 0
  const each = newItemLoop(itemLog, 'could not work', () => now)
  const worked: string[] = []
  const round = () =>
    each(['a', 'broken', 'b'], String, async (item) => {
      worked.push(item)
      if (item === 'broken') throw new Error('It is odd')
    })
  for (let n = 0; n < 8; n++) await round()
  expect(worked.filter((item) => item === 'broken')).toHaveLength(5)
  expect(worked.filter((item) => item === 'b')).toHaveLength(8)
  const givenUp = lines.filter(({ level }) => level === 50)
  expect(givenUp).toMatchObject([
    { item: 'broken', reason: 'It is odd', msg: expect.stringContaining('gave up after 5') },
  ])
  now += 25 * 3_600_000
  await round()
  expect(worked.filter((item) => item === 'broken')).toHaveLength(6)
})

test('failures of a store, and those before a success, do not count', async () => {
  const each = newItemLoop(itemLog, 'could not work')
  let tries = 0
  const fail = (error: unknown) =>
    each(['a'], String, async () => {
      tries++
      throw error
    })
  for (let n = 0; n < 7; n++) await fail(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }))
  for (let n = 0; n < 4; n++) await fail(new Error('odd'))
  await each(['a'], String, async () => {})
  for (let n = 0; n < 4; n++) await fail(new Error('odd'))
  expect(tries).toBe(15)
})
