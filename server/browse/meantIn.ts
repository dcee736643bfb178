import { inStorages, type Meant } from '#server/entries/index.ts'
import type { Db } from '#server/platform/postgres.ts'
import { type Sql, sql } from '#server/platform/sql.ts'
import { shownOn, sourceAt } from '#server/snapshots/index.ts'

/** A day, and storages of which all are meant when none is named. */
type Scope = { indexingDate?: string | undefined; storages: number[] }

/** What a day shows of some storages and meets a condition. */
export async function meantIn(db: Db, { indexingDate, storages }: Scope, where: Sql, heavy = false): Promise<Meant> {
  const snapshot = await shownOn(db, indexingDate)
  const shown = sourceAt(inStorages(snapshot, storages))
  return { snapshot, from: shown.from, where: sql`${shown.where} AND ${where}`, deleted: false, heavy, quick: true }
}
