import { sql } from 'kysely'
import type { FoldersChanged } from '#events/projects/calls.ts'
import { fullPathOf, rootPath, type ShareAddress } from '#events/sources/fullPath.ts'
import { streamNames } from '#events/streams.ts'
import { readStream } from '#server/platform/log/eventLog.ts'
import { type Scope, showsFolder } from '#server/platform/callers/scope.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { checkProject } from './checkProject.ts'

/** A project before and after a change, in the form of `audited`. */
export type ProjectChange = { at: string; before?: { paths?: string[] }; after?: { paths?: string[] } }

/** The history of a project's tracked folders, oldest first, with paths as users know them: those that the scope shows. Throws 404. */
export async function projectChanges(db: Db, scope: Scope, id: number): Promise<FoldersChanged[]> {
  await checkProject(db, scope, id)
  const events = await readStream<ProjectChange>(db, streamNames.project(id))
  const isShown = (folder: string) => showsFolder(scope, placeOf(folder), 'ever')
  const changes = events.map(({ event: { at, before, after }, actor: by, version }) => {
    const [past = [], now = []] = [before?.paths, after?.paths].map((paths) => paths?.filter(isShown))
    const added = now.filter((folder) => !past.includes(folder))
    return { isMaking: version === 1, at, by, added, removed: past.filter((folder) => !now.includes(folder)) }
  })
  const shown = changes.filter(({ isMaking, added, removed }) => isMaking || added.length + removed.length > 0)
  const fullPath = await readFullPaths(db)
  return shown.map(({ at, by, added, removed }) => ({
    at,
    by,
    added: added.map(fullPath),
    removed: removed.map(fullPath),
  }))
}

/** Converts a stored `volumeId:path` to a full path for users; also for deleted volumes. */
async function readFullPaths(db: Db): Promise<(folder: string) => string> {
  const { rows } = await sql<{ id: number; path: string; share: ShareAddress | null }>`
    SELECT volumes.id, path,
      CASE WHEN host IS NOT NULL THEN json_build_object('type', shares.type, 'host', host, 'shareName', share_name) END AS share
    FROM volumes LEFT JOIN network_volumes AS shares ON shares.volume_id = volumes.id`.execute(db)
  const roots = new Map(rows.map(({ id, path, share }) => [id, rootPath(path, share)]))
  return (folder) => {
    const { volumeId, path } = placeOf(folder)
    return fullPathOf(roots.get(volumeId) ?? '', path)
  }
}

/** Reads a stored `volumeId:path`. */
export function placeOf(folder: string): { volumeId: number; path: string } {
  const colon = folder.indexOf(':')
  return { volumeId: Number(folder.slice(0, colon)), path: folder.slice(colon + 1) }
}
