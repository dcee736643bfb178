import {
  contentsOfFolder,
  filesOfFolder,
  filesSince,
  foldersOfFolder,
  folderByPath,
  foldersSince,
  folderSuggestions,
  partOfFolder,
} from '#events/folders/browse.ts'
import { listEntries } from '#server/content/entries/listEntries.ts'
import { inStorages } from '#server/content/entries/selectEntries.ts'
import { closestFolder, storedFolders } from '#server/content/entries/storedFolders.ts'
import { forCaller } from '#server/platform/clickhouse/forCaller.ts'
import type { Stores } from '#server/platform/platform.ts'
import { route } from '#server/platform/http/route.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'
import { twoSnapshots } from '#server/content/snapshots/reading/twoSnapshots.ts'
import { childrenIn, shownIn } from './childrenIn.ts'
import { compareChildren } from './compareChildren.ts'
import { contentsOf } from './contentsOf.ts'
import { selectIn } from './selectIn.ts'
import { partOf } from './contentsOf.ts'
import { typedFolders } from './childrenIn.ts'

const bySize = { sort: 'size', direction: 'desc' } as const
const byPath = { sort: 'path', direction: 'asc' } as const

export const browseRoutes = ({ db, clickhouse }: Stores) => [
  route(filesOfFolder, async ({ query }) =>
    listEntries(clickhouse, await selectIn(db, query, childrenIn(query.directoryPath, 'files')), query, bySize),
  ),
  route(foldersOfFolder, async ({ query }) => {
    const { path, showHiddenDirectories } = query
    const where = sql`${childrenIn(path, 'folders')} AND ${shownIn(path, showHiddenDirectories)}`
    return listEntries(clickhouse, await selectIn(db, query, where), query, bySize)
  }),
  route(contentsOfFolder, async ({ query }) => contentsOf({ db, clickhouse }, query, bySize)),
  route(partOfFolder, async ({ params, query }) => partOf({ db, clickhouse }, params.part, query, bySize)),
  route(folderSuggestions, async ({ query }, caller) => {
    const snapshot = inStorages(await snapshotOrEmpty(db, query.indexingDate), query.storages)
    const { where, heavy } = await typedFolders(query.path, (path) => storedFolders(clickhouse, snapshot, path))
    return listEntries(forCaller(caller, clickhouse), await selectIn(db, query, where, heavy), query, byPath)
  }),
  route(folderByPath, async ({ query }) => {
    const snapshot = inStorages(await snapshotOrEmpty(db, query.indexingDate), query.storages)
    const [stored] = await storedFolders(clickhouse, snapshot, query.path)
    return {
      exists: stored !== undefined,
      folder: stored ?? (await closestFolder(clickhouse, snapshot, query.path)) ?? null,
    }
  }),
  route(filesSince, async ({ params, query }) =>
    compareChildren(
      { db, clickhouse },
      await twoSnapshots(db, params.previousDate, query.indexingDate),
      'files',
      query,
    ),
  ),
  route(foldersSince, async ({ params, query }) =>
    compareChildren(
      { db, clickhouse },
      await twoSnapshots(db, params.previousDate, query.indexingDate),
      'folders',
      query,
    ),
  ),
]
