import { builtInAgent } from '#events/agents.ts'
import { hasDots } from '#events/actions/targets.ts'
import { shownName } from '#events/sources/p5Names.ts'
import { namesOf } from '#events/sources/pathMapping.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { invalid } from '#server/platform/problem.ts'
import { archiwareConnection, archiwareOrder, archiwareServers } from '#server/scanning/sources/index.ts'
import type { ActionHandler } from '../kit/handler.ts'
import { areIn, checkTarget, leftOutBy, planPerVolume, unsendable, volumesOf } from '../kit/parts.ts'
import { type PlacedFolder, placedFolders, placeOf } from '../kit/places.ts'

/**
 * Archives files of file storages in one part, at the agent and the P5 server that the plan belongs to. Refuses an agent on
 * another machine without an index of these credentials: no administrator has let it have them.
 */
export const archive: ActionHandler<'archive'> = {
  async plan({ db }, { serverId, credentialsId, indexroot }, snapshot) {
    const isAllowed = ({ agentId, credentialsId: id }: { agentId: number; credentialsId: number | null }) =>
      agentId === serverId && id === credentialsId
    if (serverId !== builtInAgent && !(await archiwareServers(db)).some(isAllowed))
      invalid('serverId', 'must be an agent with an Archiware index that uses these credentials')
    if (hasDots(indexroot)) invalid('indexroot', 'must not have . or .. in it')
    const volumes = volumesOf(snapshot, 'file')
    return {
      plan: {
        place: placeOf(placedFolders(volumes, snapshot.archives.mappings)),
        leftOut: leftOutBy([sql`NOT ${areIn(volumes)}`, 'Not on a file storage'], ...unsendable),
      },
      parts: [{ part: 0, system: credentialsId, serverId }],
    }
  },
  async order(platform, { planId, clientId, indexroot: indexRoot }, credentialsId) {
    const connection = await archiwareConnection(platform, credentialsId)
    return { kind: 'archive', connection, planId, clientId, indexRoot }
  },
  async targets({ db }, { indexroot, credentialsId }, _, scannedSince) {
    if (indexroot !== '') return { folders: [], keepsTimes: false }
    const indexes = await db
      .selectFrom('archiwares')
      .select(['volumeId', 'path'])
      .where('credentialId', '=', credentialsId)
      .where('volumeId', 'in', [0, ...scannedSince])
      .execute()
    return { folders: indexes.map(folderOfIndex), keepsTimes: true }
  },
}

/** Restores entries of archive indexes: one part for each index. The folder to restore to is one of the client, which may run any system. */
export const restore: ActionHandler<'restore'> = {
  plan({ db }, { relocate }, snapshot) {
    if (relocate !== null) checkTarget('relocate', relocate, { isAnySystem: true })
    const volumes = volumesOf(snapshot, 'archive')
    const place = placeOf(snapshot.archives.folders.map(folderOfIndex))
    return planPerVolume(db, volumes, place, [sql`NOT ${areIn(volumes)}`, 'Not in an archive index'], ...unsendable)
  },
  async order(platform, { clientId, relocate }, volumeId) {
    const { kind: _, index: indexName, path: __, ...connection } = await archiwareOrder(platform, volumeId)
    // Jobs of earlier versions may have an empty text.
    return { kind: 'restore', connection, clientId, indexName, relocate: relocate || null }
  },
  async targets(_, { relocate }, snapshot, scannedSince) {
    if (relocate !== null) return { folders: [], keepsTimes: false }
    const volumes = snapshot.volumes.filter(({ volumeId }) => scannedSince.includes(volumeId))
    return { folders: placedFolders(volumes, snapshot.archives.mappings), keepsTimes: true }
  },
}

/** A scanned index, which may be a part of the whole, with its path there as P5 shows names. */
const folderOfIndex = ({ volumeId, path }: { volumeId: number; path: string }): PlacedFolder => ({
  volumeId,
  folder: '/',
  target: `/${namesOf(path).map(shownName).join('/')}`,
})
