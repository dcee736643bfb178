import { changedFiles, changedFolders, comparison, growth } from '#events/comparison.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/route.ts'
import { comparedVolumes } from './comparedVolumes.ts'
import { growthBy } from './growthBy.ts'
import { listDifferences } from './listDifferences.ts'
import { totalsOfChanges } from './totalsOfChanges.ts'

export const comparisonRoutes = ({ db, clickhouse }: Pick<Platform, 'db' | 'clickhouse'>) => [
  route(comparison, async ({ params, query }) =>
    totalsOfChanges(clickhouse, await comparedVolumes(db, params.previousDate, query), query.path),
  ),
  route(changedFiles, async ({ params, query }) =>
    listDifferences(clickhouse, await comparedVolumes(db, params.previousDate, query), 'files', query),
  ),
  route(changedFolders, async ({ params, query }) =>
    listDifferences(clickhouse, await comparedVolumes(db, params.previousDate, query), 'folders', query),
  ),
  route(growth, async ({ params, query }) =>
    growthBy(clickhouse, await comparedVolumes(db, params.previousDate, query), query),
  ),
]
