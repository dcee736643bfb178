import { expect, test } from 'vitest'
import { runOnChange } from './runOnChange.ts'
import { testPlatform } from './testing/stores.ts'

const platform = await testPlatform()

test('runs at once and after a change of its topics, and again if it failed', async () => {
  let runs = 0
  const running = runOnChange(platform, { topics: ['volumes'], failed: 'failed on purpose' }, async () => {
    runs += 1
    if (runs === 2) throw new Error('no')
  })
  try {
    await expect.poll(() => runs).toBe(1)
    platform.live({ type: 'changed', topics: ['tags'] })
    platform.live({ type: 'changed', topics: ['volumes'] })
    await expect.poll(() => runs).toBe(2)
    await expect.poll(() => runs, { timeout: 10_000 }).toBe(3)
  } finally {
    await running.stop()
  }
})
