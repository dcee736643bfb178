import { readOnlyCode, readOnlyMessage } from '#events/tags.ts'
import type { Scope } from '#server/platform/callers/scope.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { conflict } from '#server/platform/problem.ts'
import { type Snapshot, snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'

export type Kind = 'file' | 'folder'
export const kindOf = ({ isDirectory }: { isDirectory: boolean }): Kind => (isDirectory ? 'folder' : 'file')

/** The newest snapshot, the only one that can be changed; throws 409 for a day that belongs to an older one. */
export async function writableSnapshot(db: Db, scope: Scope, day: string | undefined, kind: Kind): Promise<Snapshot> {
  const newest = await snapshotOrEmpty(db, scope)
  checkWritable(newest, day, kind)
  return newest
}

/** Throws 409 for a day that belongs to a snapshot older than the newest. */
export const checkWritable = (newest: Snapshot, day: string | undefined, kind: Kind): void => {
  if (day !== undefined && day < newest.indexingDate) readOnly(kind)
}

/** Throws 409: previous snapshots can't be changed. */
export const readOnly = (kind: Kind): never => conflict(readOnlyMessage(kind), readOnlyCode)
