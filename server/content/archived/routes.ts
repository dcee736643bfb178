import { archivedTotals } from '#events/search/archived.ts'
import type { Stores } from '#server/platform/platform.ts'
import { notFound } from '#server/platform/problem.ts'
import { route } from '#server/platform/http/route.ts'
import { snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'
import { openArchivedTotals } from './archivedTotals.ts'

export const archivedRoutes = ({ db, clickhouse }: Stores) => {
  const totals = openArchivedTotals(clickhouse)
  return [
    route(archivedTotals, async ({ params: { id }, query }, { scope }) => {
      const snapshot = await snapshotOrEmpty(db, scope, query.indexingDate)
      if (!snapshot.volumes.some(({ volumeId }) => volumeId === id)) notFound('storage', id)
      return totals(snapshot, id)
    }),
  ]
}
