import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { change } from '#server/platform/log/change.ts'
import { system } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { createFileStorage, fileStorage } from '#server/scanning/sources/index.ts'
import { scanStorage } from '../../kit/product.ts'
import { makeTree } from '#deploy/local/testing/tree.ts'

/** Number of files in each scan. */
const files = 300_000

/** Scans a tree of small files repeatedly during the work. Also returns the number of completed scans. */
export async function withConcurrentScan<T>(
  platform: Platform,
  work: () => Promise<T>,
): Promise<{ answer: T; scans: number }> {
  const { db } = platform
  const tree = mkdtempSync(join(tmpdir(), 'dataintell-beside-'))
  makeTree(tree, files)
  // Otherwise the system writes the files to disk during the measurement, with up to half a processor.
  execFileSync('sync')
  const volume = await createFileStorage(db, { name: `beside ${Date.now()}`, path: tree })
  let over = false
  let scans = 0
  const scanOn = async () => {
    for (; !over; scans++) await scanStorage(db, volume)
  }
  const scanning = scanOn()
  try {
    const answer = await Promise.race([work(), scanning.then(() => Promise.reject(new Error('The scans ended')))])
    return { answer, scans }
  } finally {
    over = true
    await scanning.catch(() => {})
    await change(platform, system, [], (change) => fileStorage.remove(change, volume))
    rmSync(tree, { recursive: true, force: true })
  }
}
