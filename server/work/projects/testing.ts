import { sql } from 'kysely'
import { beforeEach } from 'vitest'
import type { Project } from '#events/projects/calls.ts'
import { createApp } from '#server/app.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { asUser, testSession } from '#server/testing.ts'
import { linkStates } from './figures/shownFolders.ts'
import { projectRoutes } from './index.ts'

/**
 * An empty list of projects over two storages, and calls as an editor and as a reader. `sent` has the events sent to
 * browsers.
 */
export async function testProjects() {
  const sent: unknown[] = []
  const platform = { ...(await testPlatform()), live: (event: unknown) => void sent.push(event) }
  const { db } = platform
  const app = createApp(platform, projectRoutes(platform))
  const manager = asUser(app, await testSession(db, ['ROLE_PROJECT_MANAGER']))
  const reader = asUser(app, await testSession(db, []))
  // Their numbers start again before each test.
  const [films, sound] = [1, 2]
  beforeEach(async () => {
    await sql`TRUNCATE volumes, scans, snapshots, projects, project_statements, storage_prices, events RESTART IDENTITY CASCADE`.execute(
      db,
    )
    await createFileStorage(db, { name: 'Films', path: '/mnt/films' })
    await createFileStorage(db, { name: 'Sound', path: '/mnt/sound' })
    sent.length = 0
  })
  const draft = { name: 'Rushes', description: 'All of May', allocatedSize: 1000, paths: [] as object[] }
  return {
    platform,
    db,
    sent,
    manager,
    admin: asUser(app, await testSession(db, ['ROLE_ADMIN'])),
    reader,
    films,
    sound,
    draft,
    create: async (of: object = {}): Promise<number> =>
      (await manager('POST', '/api/projects', { ...draft, ...of }).expect(200)).body.id,
    find: async (id: number, query = ''): Promise<Project> =>
      (await reader('GET', `/api/v1/projects/${id}?${query}`).expect(200)).body,
    list: async (query = '') => (await reader('GET', `/api/v1/projects?${query}`).expect(200)).body,
    count: (volumeId: number, day: string, sizes: Record<string, number>) => countFolders(db, volumeId, day, sizes),
  }
}

/**
 * A date that shows a volume, with figures of folders as if counted from a scan: their bytes, or bytes by storage
 * class; null for a folder that no longer exists. Hard links of projects that are created later are unknown.
 */
export async function countFolders(
  db: Db,
  volumeId: number,
  day: string,
  sizes: Record<string, number | Record<string, number> | null>,
): Promise<void> {
  const scan = { volumeId, indexingDate: day, state: 'done' as const, jobId: 1, taskId: (task += 1), agentId: 1 }
  const { id: scanId } = await db.insertInto('scans').values(scan).returning('id').executeTakeFirstOrThrow()
  await db.insertInto('snapshots').values({ indexingDate: day, volumeId, scanId }).execute()
  const statistics = JSON.stringify({
    DUPLICATE: {
      duplicate: { sizeOfFiles: 0, numberOfFiles: 0 },
      reclaimable: { sizeOfFiles: 0, numberOfFiles: 0 },
    },
    MODIFIED_DATE: {},
    ACCESS_DATE: {},
  })
  const date = { indexingDate: day, volumeId, scanId, shown: '' }
  const unknown = { files: 1, folders: 0, lastAccess: null, lastModified: null, statistics }
  for (const [path, held] of Object.entries(sizes)) {
    const classes = typeof held === 'object' ? (held ?? {}) : {}
    const bytes = typeof held === 'number' ? held : Object.values(classes).reduce((sum, size) => sum + size, 0)
    const figures = { isThere: held !== null, bytes, apparentBytes: bytes, classBytes: JSON.stringify(classes) }
    await db
      .insertInto('folderFigures')
      .values({ ...date, ...unknown, ...figures, pathHash: sql<string>`md5(${path})` })
      .execute()
  }
  await knowLinks(db)
}

/** Marks the hard links between folders of the existing projects as known on all dates, without any. */
async function knowLinks(db: Db): Promise<void> {
  await sql`
    INSERT INTO linked_dates SELECT day, '', array_agg(state)
    FROM ${linkStates(sql`SELECT DISTINCT indexing_date AS day FROM snapshots`)} AS states GROUP BY day
    ON CONFLICT (indexing_date) DO UPDATE SET projects = excluded.projects`.execute(db)
}

/** Above the task numbers of the tests. */
let task = 1_000_000
