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
import { asOf } from '#server/content/snapshots/reading/asOf.ts'
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
  route(filesOfFolder, async ({ query }, { scope }) =>
    listEntries(clickhouse, await selectIn(db, scope, query, childrenIn(query.directoryPath, 'files')), query, bySize),
  ),
  route(foldersOfFolder, async ({ query }, { scope }) => {
    const { path, showHiddenDirectories } = query
    const where = sql`${childrenIn(path, 'folders')} AND ${shownIn(path, showHiddenDirectories)}`
    return listEntries(clickhouse, await selectIn(db, scope, query, where), query, bySize)
  }),
  route(contentsOfFolder, ({ query }, { scope }) => contentsOf({ db, clickhouse }, scope, query, bySize)),
  route(partOfFolder, ({ params, query }, { scope }) => partOf({ db, clickhouse }, scope, params.part, query, bySize)),
  route(folderSuggestions, async ({ query }, caller) => {
    const snapshot = inStorages(await snapshotOrEmpty(db, caller.scope, query.indexingDate), query.storages)
    const { where, heavy } = await typedFolders(query.path, (path) => storedFolders(clickhouse, snapshot, path))
    return listEntries(
      forCaller(caller, clickhouse),
      await selectIn(db, caller.scope, query, where, heavy),
      query,
      byPath,
    )
  }),
  route(folderByPath, async ({ query }, { scope }) => {
    const snapshot = inStorages(await snapshotOrEmpty(db, scope, query.indexingDate), query.storages)
    const [stored] = await storedFolders(clickhouse, snapshot, query.path)
    return {
      exists: stored !== undefined,
      folder: stored ?? (await closestFolder(clickhouse, snapshot, query.path)) ?? null,
      ...asOf(snapshot.volumes),
    }
  }),
  route(filesSince, async ({ params, query }, { scope }) =>
    compareChildren(
      { db, clickhouse },
      await twoSnapshots(db, scope, params.previousDate, query.indexingDate),
      'files',
      query,
    ),
  ),
  route(foldersSince, async ({ params, query }, { scope }) =>
    compareChildren(
      { db, clickhouse },
      await twoSnapshots(db, scope, params.previousDate, query.indexingDate),
      'folders',
      query,
    ),
  ),
]
