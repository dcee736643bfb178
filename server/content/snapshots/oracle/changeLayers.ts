import { sql as postgres } from 'kysely'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Stores } from '#server/platform/platform.ts'
import { removeEnded } from '#server/content/snapshots/retention/removeEnded.ts'
import type { Random } from './random.ts'

/** Changes that may happen to the layers of a volume between two commits. Questions don't see any of it. */
export async function changeLayers(stores: Stores, random: Random, volumeId: number): Promise<void> {
  const { db, clickhouse } = stores
  const kind = random.below(4)
  if (kind === 0) await removeEnded(stores, 0)
  // With this many layers the next commit writes all entries again; these are empty.
  else if (kind === 1)
    await postgres`
      UPDATE volumes SET layers = layers || ARRAY(SELECT nextval('generations')::integer FROM generate_series(1, 16)) WHERE id = ${volumeId}`.execute(
      db,
    )
  else if (kind === 2) {
    const { layers } = await db
      .selectFrom('volumes')
      .select('layers')
      .where('id', '=', volumeId)
      .executeTakeFirstOrThrow()
    // As a version without layers wrote them.
    if (layers.length === 0)
      await clickhouse.command(
        sql`ALTER TABLE entries UPDATE row_id = 0 WHERE volume = ${volumeId} SETTINGS mutations_sync = 2`,
      )
  }
}
