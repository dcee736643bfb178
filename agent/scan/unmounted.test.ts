import { execFileSync } from 'node:child_process'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { missingForSlowFs, mountSlowFs } from '#agent/testing/slowFs.ts'
import { orderOf } from '#agent/testing/walked.ts'
import { openSystems } from '../systems/index.ts'
import { forever } from '../systems/testing.ts'
import { runScan } from './runScan.ts'

const systems = await openSystems(testFolder('state'), pino({ level: 'silent' }))

/** The last event of a scan of a folder. */
async function lastOfScan(root: string): Promise<{ type?: string; reason?: string }> {
  const events: object[] = []
  const report = {
    batch: async () => {},
    event: async (event: object) => void events.push(event),
    progressed: async () => {},
  }
  const nextPage = async () => ({ pending: [], morePending: 0 })
  await runScan(orderOf(root), { report, nextPage, systems, signal: forever })
  return events.at(-1) ?? {}
}

describe.skipIf(missingForSlowFs())('a file system that is mounted in a folder', () => {
  test('and unmounted in the middle of the scan fails it: its folders were not emptied', async () => {
    const slow = await mountSlowFs({ folders: 300, files: 5, latency: 2_000 })
    const scan = lastOfScan(slow.mount)
    await expect.poll(async () => (await slow.calls()).calls).toBeGreaterThan(300)
    execFileSync('umount', ['-l', slow.mount])
    expect(await scan).toEqual({ type: 'failed', reason: `${slow.mount} was unmounted while it was scanned` })
  })

  test('and stays so is scanned to its end', async () => {
    const slow = await mountSlowFs({ folders: 20, files: 5, latency: 500 })
    expect(await lastOfScan(slow.mount)).toMatchObject({ type: 'completed' })
    await slow.unmount()
  })
})
