import { changedFiles, changedFolders, comparison, growth } from '#events/comparison.ts'
import { growingFolders } from '#events/overview/growing.ts'
import { forCaller } from '#server/platform/clickhouse/forCaller.ts'
import type { Stores } from '#server/platform/platform.ts'
import { type Caller, route } from '#server/platform/http/route.ts'
import { comparedVolumes } from './comparedVolumes.ts'
import { topGrowing } from './topGrowing.ts'
import { growthBy } from './growthBy.ts'
import { listDifferences } from './listDifferences.ts'
import { totalsOfChanges } from './totalsOfChanges.ts'

export const comparisonRoutes = ({ db, clickhouse }: Stores) => {
  const clickhouseFor = (caller: Caller) => forCaller(caller, clickhouse)
  return [
    route(comparison, async ({ params, query }, caller) =>
      totalsOfChanges(
        clickhouseFor(caller),
        await comparedVolumes(db, caller.scope, params.previousDate, query),
        query.path,
      ),
    ),
    route(changedFiles, async ({ params, query }, caller) =>
      listDifferences(
        clickhouseFor(caller),
        await comparedVolumes(db, caller.scope, params.previousDate, query),
        'files',
        query,
      ),
    ),
    route(changedFolders, async ({ params, query }, caller) =>
      listDifferences(
        clickhouseFor(caller),
        await comparedVolumes(db, caller.scope, params.previousDate, query),
        'folders',
        query,
      ),
    ),
    route(growth, async ({ params, query }, caller) =>
      growthBy(clickhouseFor(caller), await comparedVolumes(db, caller.scope, params.previousDate, query), query),
    ),
    route(growingFolders, async ({ params, query }, caller) => {
      const compared = await comparedVolumes(db, caller.scope, params.previousDate, query)
      return {
        folders: await topGrowing(clickhouseFor(caller), compared),
        indexingDate: compared.now.indexingDate || null,
        previousIndexingDate: compared.previous.indexingDate || null,
      }
    }),
  ]
}
