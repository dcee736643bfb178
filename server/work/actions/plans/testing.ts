import { beforeAll } from 'vitest'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import type { Platform } from '#server/platform/platform.ts'

/** The storage Films with three files, and an archive index with one, scanned on one day before the tests. */
export function testFilms(platform: Platform) {
  const { db } = platform
  const volumes = { films: 0, index: 0 }
  const newVolume = async (name: string, type: string, path: string) =>
    (await db.insertInto('volumes').values({ name, path, type }).returning('id').executeTakeFirstOrThrow()).id
  const file = (path: string, size: number, inode: number) => ({ path, size, inode, mtime: 1_700_000_000 })
  beforeAll(async () => {
    const films = await newVolume('Films', 'crawl.files', '/mnt/films')
    const index = await newVolume('Index', 'Archiware', 'p5://Default-Archive/mnt')
    Object.assign(volumes, { films, index })
    const archive = { volumeId: index, indexId: 'Default-Archive', path: '/mnt', credentialId: null }
    await db.insertInto('archiwares').values(archive).execute()
    const on = (volumeId: number) => ({ volumeId, indexingDate: '2026-01-02' })
    await scanFolders(platform, on(films), [
      { path: '', entries: [{ path: '/a', isDirectory: true, inode: 2 }, file('/top.mov', 5, 3)] },
      { path: '/a', entries: [file('/a/one.mov', 10, 4), file("/a/it's\n^2.mov", 20, 5)] },
    ])
    await scanFolders(platform, on(index), [{ path: '', entries: [file('/old.mov', 7, 9)] }])
  })
  return { volumes, newVolume, file }
}
