import { readOnlyCode, readOnlyMessage } from '#events/tags.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { conflict } from '#server/platform/problem.ts'
import { shownOn, type Snapshot } from '#server/snapshots/index.ts'

export type Kind = 'file' | 'folder'
export const kindOf = ({ isDirectory }: { isDirectory: boolean }): Kind => (isDirectory ? 'folder' : 'file')

/** The newest snapshot, which alone can be changed; throws 409 when a day is given that an older one answers. */
export async function writableSnapshot(db: Db, day: string | undefined, kind: Kind): Promise<Snapshot> {
  const newest = await shownOn(db)
  checkWritable(newest, day, kind)
  return newest
}

/** Throws 409 when a day is given that a snapshot older than the newest answers. */
export const checkWritable = (newest: Snapshot, day: string | undefined, kind: Kind): void => {
  if (day !== undefined && day < newest.indexingDate) readOnly(kind)
}

/** Throws 409: what a previous snapshot shows stays as it is. */
export const readOnly = (kind: Kind): never => conflict(readOnlyMessage(kind), readOnlyCode)
