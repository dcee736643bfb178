import { archivedTotals } from '#events/archived.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/http/route.ts'
import { snapshotOrEmpty } from '#server/snapshots/reading/snapshotAt.ts'
import { openArchivedTotals } from './archivedTotals.ts'

export const archivedRoutes = ({ db, clickhouse }: Pick<Platform, 'db' | 'clickhouse'>) => {
  const totals = openArchivedTotals(clickhouse)
  return [
    route(archivedTotals, async ({ params, query }) =>
      totals(await snapshotOrEmpty(db, query.indexingDate), params.id),
    ),
  ]
}
