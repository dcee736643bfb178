import { setTimeout } from 'node:timers/promises'
import { sql as postgres } from 'kysely'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { change } from '#server/platform/log/change.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { createPriceBook, assignPriceBook } from '#server/content/price-books/index.ts'
import { createProject } from '#server/work/projects/index.ts'

type Stores = Pick<Platform, 'db' | 'clickhouse' | 'live'>
type Folder = { volumeId: number; path: string }

/** Creates projects unless some exist. Each has folders from all volumes, two to five levels below their roots. */
export async function makeProjects(platform: Stores, { projects, folders }: { projects: number; folders: number }) {
  const { db, clickhouse } = platform
  if (await db.selectFrom('projects').select('id').limit(1).executeTakeFirst()) return
  await giveOnePrice(platform)
  const found = await clickhouse.rows<Folder>(sql`
    SELECT volume AS volumeId, concat(parent_path, name) AS path FROM entries
    WHERE is_directory AND depth BETWEEN 2 AND 5 AND files > 0
    ORDER BY sipHash64(path, volume) LIMIT ${projects * folders}`)
  const picked = (n: number) => Array.from({ length: folders }, (_, i) => found[(n * folders + i) % found.length])
  for (let n = 0; n < projects; n++) {
    const paths = [...new Set(picked(n))].flatMap((folder) => folder ?? [])
    const draft = { name: `Project ${n + 1}`, description: '', allocatedSize: 2 ** 40, paths }
    await change(platform, system, ['projects'], (made) => createProject(made, draft))
  }
}

/** Sets one price for all volumes, so that costs are computed. */
const giveOnePrice = (platform: Stores): Promise<void> =>
  change(platform, system, ['priceBooks'], async (made) => {
    const id = await createPriceBook(made, { description: 'Bench', currencySymbol: '€', price: 12, classPrices: [] })
    const volumes = await made.trx.selectFrom('volumes').select('id').execute()
    for (const volume of volumes) await assignPriceBook(made.trx, volume.id, { id })
  })

/** Waits until the server has counted the folders on all dates. Returns the number of figures. */
export async function waitForFigures(db: Db): Promise<number> {
  for (;;) {
    const { rows } = await postgres<{ wanted: number; known: number }>`
      SELECT (SELECT count(*) FROM (SELECT DISTINCT volume_id, path_hash FROM project_folders) AS tracked
          JOIN snapshots USING (volume_id)) AS wanted,
        (SELECT count(*) FROM folder_figures) AS known`.execute(db)
    const { wanted = 0, known = 0 } = rows[0] ?? {}
    if (known >= wanted) return known
    await setTimeout(500)
  }
}
