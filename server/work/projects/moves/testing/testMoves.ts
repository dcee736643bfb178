import type { AnsweredMove } from '#events/projects/moves.ts'
import type { Project, ProjectItem } from '#events/projects/calls.ts'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { projectRoutes } from '#server/work/projects/index.ts'
import { fillAll } from '#server/work/projects/figures/startFigures.ts'
import { commitScan } from '#server/content/snapshots/index.ts'
import type { Disk } from '#server/content/snapshots/oracle/disk.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { newScan, newVolume, stage } from '#server/content/snapshots/oracle/scanDisk.ts'
import { walkDisk } from '#server/content/snapshots/oracle/walkDisk.ts'
import { asUser, testSession } from '#server/testing.ts'
import { checkMoves } from '#server/work/projects/moves/checkMoves.ts'
import { shellDisk } from './shellDisk.ts'

const random = newRandom(1)

/**
 * Projects on scanned disks: `sent` has the events sent to browsers, `open` the questions of a project as users see
 * them. `films` makes a storage with a project.
 */
export async function testMoves() {
  const sent: unknown[] = []
  const platform = { ...(await testPlatform()), live: (event: unknown) => void sent.push(event) }
  const app = createApp(platform, projectRoutes(platform))
  const manager = asUser(app, await testSession(platform.db, ['ROLE_PROJECT_MANAGER']))
  const reader = asUser(app, await testSession(platform.db, []))
  const find = async (id: number, day?: string): Promise<Project> =>
    (await reader('GET', `/api/v1/projects/${id}${day ? `?indexingDate=${day}` : ''}`).expect(200)).body
  const items = async (id: number, day?: string): Promise<ProjectItem[]> =>
    (await find(id, day)).projectShares.flatMap(({ projectItems }) => projectItems)
  const open = async (id: number): Promise<AnsweredMove[]> =>
    (await items(id)).flatMap(({ volumeId, path, movedTo }) =>
      movedTo ? [{ volumeId, path, movedTo: movedTo.path }] : [],
    )
  const answer = (id: number, way: 'follow' | 'reject', folders: unknown) =>
    manager('PUT', `/api/v1/projects/${id}/moves/${way}`, { folders })
  /** Scans a disk without looking for moved folders. */
  const commit = async (volumeId: number, disk: Disk, indexingDate: string, scannedPath = '') => {
    const scanId = await newScan(platform, { volumeId, indexingDate, scannedPath })
    await stage(platform, random, scanId, walkDisk(disk, scannedPath), scannedPath)
    await commitScan(platform, scanId, async () => {})
    return scanId
  }
  /** Scans a disk, looks for moved folders and counts all figures, as the product does after each commit. */
  const scan = async (volumeId: number, disk: Disk, indexingDate: string) => {
    await commit(volumeId, disk, indexingDate)
    await checkMoves(platform)
    await fillAll(platform)
  }
  let made = 0
  const volume = () => newVolume(platform, `Storage ${(made += 1)}`)
  const create = async (volumeId: number, ...paths: string[]): Promise<number> => {
    const folders = paths.map((path) => ({ volumeId, path }))
    const draft = { name: `Project ${(made += 1)}`, description: '', allocatedSize: 1000, paths: folders }
    return (await manager('POST', '/api/projects', draft).expect(200)).body.id
  }
  return {
    platform,
    db: platform.db,
    sent,
    manager,
    reader,
    find,
    items,
    open,
    answer,
    commit,
    volume,
    scan,
    create,
    count: () => fillAll(platform),
    /** A storage with /p1 (30 bytes) and /other (5), scanned on the first day, and a project with folders on it. */
    films: async (...paths: string[]) => {
      const shell = shellDisk()
      shell.write('/p1/a.mov', 10)
      shell.write('/p1/raw/b.mov', 20)
      shell.write('/other/c.mov', 5)
      const volumeId = await volume()
      await scan(volumeId, shell.disk, '2026-01-01')
      const id = await create(volumeId, ...(paths.length > 0 ? paths : ['/p1']))
      await fillAll(platform)
      return { ...shell, volumeId, id, scan: (day: string) => scan(volumeId, shell.disk, day) }
    },
    /** Sizes of a project on all dates, oldest first. */
    sizes: async (id: number): Promise<number[]> => {
      const { body } = await reader('GET', `/api/v1/projects/${id}/history`).expect(200)
      return (body as { sizeOfFiles: number }[]).map(({ sizeOfFiles }) => sizeOfFiles).toReversed()
    },
  }
}
