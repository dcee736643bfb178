import {
  filesOfFolder,
  filesSince,
  foldersOfFolder,
  foldersSince,
  foldersTyped,
  storageManagerFile,
} from '#events/browse.ts'
import { findEntry, hasId, inStorages, listEntries } from '#server/entries/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import { invalid, notFound } from '#server/platform/problem.ts'
import { route } from '#server/platform/route.ts'
import { type Sql, sql } from '#server/platform/sql.ts'
import { shownOn, sourceAt } from '#server/snapshots/index.ts'
import { childrenIn, unhiddenIn } from './childrenIn.ts'
import { compareChildren } from './compareChildren.ts'
import { typedFolders } from './typedFolders.ts'

type Asked = { indexingDate?: string | undefined; storages: number[] }
const bySize = { sort: 'size', direction: 'desc' } as const
const byPath = { sort: 'path', direction: 'asc' } as const

export const browseRoutes = ({ db, clickhouse }: Pick<Platform, 'db' | 'clickhouse'>) => {
  const meant = async ({ indexingDate, storages }: Asked, where: Sql, heavy = false) => {
    const snapshot = await shownOn(db, indexingDate)
    const shown = sourceAt(inStorages(snapshot, storages))
    return {
      snapshot,
      from: shown.from,
      where: sql`${shown.where} AND ${where}`,
      deleted: false,
      heavy,
      quick: true,
    }
  }
  const pair = async (indexingDate: string | undefined, previousDate: string) => {
    if (indexingDate !== undefined && previousDate > indexingDate)
      return invalid('previousDate', 'must not be after the indexing date')
    const before = await shownOn(db, previousDate)
    return { now: await shownOn(db, indexingDate), before }
  }
  return [
    route(filesOfFolder, async ({ query }) =>
      listEntries(clickhouse, await meant(query, childrenIn(query.directoryPath, 'files')), query, bySize),
    ),
    route(foldersOfFolder, async ({ query }) => {
      const isShown = query.showHiddenDirectories ? sql`1` : unhiddenIn(query.path)
      const where = sql`${childrenIn(query.path, 'folders')} AND ${isShown}`
      return listEntries(clickhouse, await meant(query, where), query, bySize)
    }),
    route(foldersTyped, async ({ query }) => {
      const { where, heavy } = typedFolders(query.path)
      return listEntries(clickhouse, await meant(query, where, heavy), query, byPath)
    }),
    route(filesSince, async ({ params, query }) =>
      compareChildren(clickhouse, await pair(query.indexingDate, params.previousDate), 'files', query),
    ),
    route(foldersSince, async ({ params, query }) =>
      compareChildren(clickhouse, await pair(query.indexingDate, params.previousDate), 'folders', query),
    ),
    route(storageManagerFile, async ({ params: { fileId }, query }) => {
      const found = await findEntry(clickhouse, await shownOn(db, query.indexingDate), { where: hasId(fileId) })
      return found ?? notFound('file', fileId)
    }),
  ]
}
