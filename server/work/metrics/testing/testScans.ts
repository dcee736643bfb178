import { type File, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import type { Stores } from '#server/platform/platform.ts'

/** Scans for tests, each on its own day of 2026. */
export function testScans(stores: Stores) {
  const { db } = stores
  let [day, task] = [0, 2_000_000]
  const nextDay = () => new Date(Date.UTC(2026, 0, (day += 1))).toISOString().slice(0, 10)

  /** Scans a storage with these folders of one file each, on a disk of 1,000 bytes; unknown if `used` is null. */
  async function scan(volumeId: number, sizes: Record<string, number>, used: number | null = null) {
    const file = (path: string, size: number): File => ({ path, size, allocatedSize: size })
    const folders = Object.keys(sizes).map((name) => ({ path: `/${name}`, isDirectory: true }))
    const scanId = await scanFolders(stores, { volumeId, indexingDate: nextDay() }, [
      { path: '', entries: folders },
      ...Object.entries(sizes).map(([name, size]) => ({ path: `/${name}`, entries: [file(`/${name}/a`, size)] })),
    ])
    const disk = { capacityTotal: 1_000, capacityUsed: used, capacityFree: 900 - (used ?? 0) }
    await db
      .updateTable('scans')
      .set({ finishedAt: new Date(), ...(used !== null && disk) })
      .where('id', '=', scanId)
      .execute()
  }
  const failedScan = (volumeId: number, state: 'failed' | 'cancelled') =>
    db
      .insertInto('scans')
      .values({ volumeId, indexingDate: '2026-01-01', state, jobId: 1, taskId: (task += 1), agentId: 1 })
      .execute()
  return { nextDay, scan, failedScan }
}
