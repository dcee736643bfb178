import { folderDetails, folderHistory, folderStatistics } from '#events/folders/calls.ts'
import { dominantBelow, mapOfFolder } from '#events/folders/map.ts'
import { forCaller } from '#server/platform/clickhouse/forCaller.ts'
import type { Stores } from '#server/platform/platform.ts'
import { notFound } from '#server/platform/problem.ts'
import { route } from '#server/platform/http/route.ts'
import { snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'
import { twoSnapshots } from '#server/content/snapshots/reading/twoSnapshots.ts'
import { findFolder } from './folderThroughTime.ts'
import { asFolderAtDate, statisticsOf } from './folderThroughTime.ts'
import { folderVersions } from './folderVersions.ts'
import { mapFolder } from './mapFolder.ts'
import { findDominantBelow } from './dominantBelow.ts'

export const folderRoutes = ({ db, clickhouse }: Stores) => [
  route(folderDetails, async ({ query }, { scope }) => {
    const snapshot = await snapshotOrEmpty(db, scope, query.indexingDate)
    return (await findFolder(clickhouse, snapshot, query)) ?? notFound('folder', query.path)
  }),
  route(folderStatistics, async ({ query }, { scope }) => {
    const shown = await folderVersions({ db, clickhouse }, scope, query)
    return shown.length > 0 ? statisticsOf(shown) : notFound('folder', query.path)
  }),
  route(folderHistory, async ({ query }, { scope }) =>
    (await folderVersions({ db, clickhouse }, scope, query, query)).map(asFolderAtDate),
  ),
  route(mapOfFolder, async ({ query }, { scope }) => {
    const { indexingDate, previousDate } = query
    const dates =
      previousDate === undefined
        ? { now: await snapshotOrEmpty(db, scope, indexingDate) }
        : await twoSnapshots(db, scope, previousDate, indexingDate)
    return (await mapFolder(clickhouse, dates, query)) ?? notFound('folder', query.path)
  }),
  route(dominantBelow, async ({ query }, caller) => {
    const sessionClickHouse = forCaller(caller, clickhouse)
    const snapshot = await snapshotOrEmpty(db, caller.scope, query.indexingDate)
    return (await findDominantBelow(sessionClickHouse, snapshot, query)) ?? notFound('folder', query.path)
  }),
]
