import { expect, test } from 'vitest'
import { checkKillsAt, checkPlaces } from './testing/checkKills.ts'
import { isKilled } from './testing/killed.ts'
import { again, carryOut, orderOf, plan, testStorage } from './testing/storage.ts'

test('an agent that is killed at any step loses no file', { timeout: 1_200_000 }, async () => {
  const steps = { move: 0, putBack: 0, delete: 0 }
  for (let killAt = 1; ; killAt++) {
    const killed = await checkKillsAt(killAt)
    for (const verb of killed) steps[verb as keyof typeof steps] = killAt
    if (killed.length === 0) break
  }
  expect(steps.move).toBeGreaterThan(40)
  expect(steps.putBack).toBeGreaterThan(20)
  expect(steps.delete).toBeGreaterThan(20)
})

test(
  '10,000 files are moved and put back once, by agents that are killed again and again',
  { timeout: 1_200_000 },
  async () => {
    const storage = testStorage()
    const paths = Array.from({ length: 10_000 }, (_, n) => storage.write(`/d${n % 100}/${n}.mov`))
    let list = plan(storage, paths)
    for (const verb of ['move', 'putBack', 'move', 'delete'] as const) {
      let kills = 0
      // A later agent has more time, so that a machine on which one only just starts comes to the end as well.
      while (await isKilled(storage, list, orderOf(verb), { afterMs: 100 + 100 * kills * Math.random() })) {
        kills++
        checkPlaces(storage, list, verb === 'delete')
      }
      expect(kills).toBeGreaterThan(3)
      expect(list.listed.filter(({ state, reason }) => state !== 'done' || reason !== '')).toEqual([])
      checkPlaces(storage, list, verb === 'delete')
      list = again(list)
    }
    const late = await carryOut(storage, list, orderOf('delete'))
    expect(new Set(late.listed.map(({ state }) => state))).toEqual(new Set(['done']))
  },
)
