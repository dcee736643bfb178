import { blockOf } from '#events/node/blocks/testing/blockOf.ts'
import { type Folder, rowOf } from '#server/content/snapshots/oracle/scanFolders.ts'
import { startSession } from '#server/content/snapshots/sessions/sessions.ts'
import type { Stores } from '#server/platform/platform.ts'
import { applyFlush } from './applyFlush.ts'

/** Shows folders as they were listed again in the live state of a volume, each with its entries. Starts the state if there is none. */
export async function flushFolders(
  stores: Stores,
  volumeId: number,
  folders: readonly Pick<Folder, 'path' | 'entries'>[],
): Promise<void> {
  const known = stores.db.selectFrom('liveVolumes').select('session').where('volumeId', '=', volumeId)
  const { session = '' } = (await known.executeTakeFirst()) ?? (await startSession(stores, volumeId)) ?? {}
  const block = blockOf((rows) => {
    for (const { path, entries } of folders) {
      if (path !== '') rows.add(rowOf({ path, isDirectory: true, size: 0 }))
      for (const entry of entries) rows.add(rowOf(entry))
      rows.addListed(rowOf({ path }), entries.length)
    }
  })
  const answer = await applyFlush(stores, { volumeId, session, blocks: [block] })
  if (answer.type !== 'shown') throw new Error(answer.reason)
}
