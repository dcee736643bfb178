import { pino } from 'pino'
import { expect, test } from 'vitest'
import { newItemLoop } from './eachItem.ts'

const lines: { level: number; msg: string; item?: string; reason?: string }[] = []
const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })

test('an item that fails keeps no other one waiting, and is given up with its reason after five failures', async () => {
  let now = 0
  const each = newItemLoop(log, 'could not work', () => now)
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
  const each = newItemLoop(log, 'could not work')
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
