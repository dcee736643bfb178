import { expect, test } from 'vitest'
import { checkKillsAt } from './testing/checkKills.ts'

test.for([1, 9, 16, 24])('an agent that is killed at step %i loses no file', async (killAt) => {
  expect(await checkKillsAt(killAt)).toContain('move')
})
