import { readdirSync, readlinkSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { missingForSlowFs, mountSlowFs } from '#agent/testing/slowFs.ts'
import { orderOf, walked } from '#agent/testing/walked.ts'
import { waysOfLookups } from '../../../systems/local/lookups/lookups.ts'

/** Number of this process's descriptors of a mount. */
function openIn(mount: string): number {
  const targets = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return ''
    }
  })
  return targets.filter((target) => target.startsWith(mount)).length
}

describe.skipIf(missingForSlowFs()).each(waysOfLookups)('a scan that is stopped, with a %s,', (way) => {
  test('leaves no folder open, and makes no call later', async () => {
    const slow = await mountSlowFs({ folders: 1_000, files: 10, latency: 2_000 })
    for (const calls of [200, 500, 800, 1_100]) {
      const stop = new AbortController()
      const walk = walked(orderOf(slow.mount), [], { way, signal: stop.signal })
      await expect.poll(async () => (await slow.calls()).calls, { interval: 5 }).toBeGreaterThan(calls)
      stop.abort(new Error('stopped'))
      await expect(walk).rejects.toThrow('stopped')
    }
    await expect.poll(() => openIn(slow.mount)).toBe(0)
    await slow.unmount()
  })

  test('does not repeat calls that failed before', async () => {
    const fail = [{ name: 'd1/', errno: 116, count: 1_000 }]
    const slow = await mountSlowFs({ folders: 2, files: 3, latency: 500, fail })
    const stop = new AbortController()
    const walk = walked(orderOf(slow.mount), [], { way, signal: stop.signal })
    await expect.poll(async () => (await slow.calls()).calls).toBeGreaterThan(15)
    stop.abort(new Error('stopped'))
    await expect(walk).rejects.toThrow('stopped')
    await wait(100)
    const { calls } = await slow.calls()
    // Longer than until the second and the third try.
    await wait(1_000)
    expect((await slow.calls()).calls).toBe(calls)
    await slow.unmount()
  })
})
