import type { ActionRequest } from '#events/actions/plans.ts'
import { builtInAgent } from '#events/agents.ts'
import type { PayloadOf } from '#events/jobs/payloads.ts'
import type { ActionJobType } from '#events/jobs/types.ts'
import { shownName } from '#events/sources/p5Names.ts'
import { hasDots } from '#events/actions/targets.ts'
import { isPrefix, namesOf } from '#events/sources/pathMapping.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Platform } from '#server/platform/platform.ts'
import { invalid } from '#server/platform/problem.ts'
import type { Snapshot } from '#server/snapshots/reading/snapshotAt.ts'
import { archiwareServers } from '#server/sources/index.ts'
import { type StorNextFolder, storNextFolders } from '../stornext/mappings.ts'
import { planComparison } from '../contents/planComparison.ts'
import { planUpload } from '../iconik/planUpload.ts'
import { planTransfer } from '../transfers/planTransfer.ts'
import { type ActionPlanning, areIn, checkTarget, leftOutBy, partPerVolume, unsendable, volumesOf } from './parts.ts'
import { placedFolders, placeOf } from './places.ts'

type Planner<T extends ActionJobType> = (
  platform: Pick<Platform, 'db'>,
  payload: PayloadOf<T>,
  snapshot: Snapshot,
) => ActionPlanning | Promise<ActionPlanning>

const planners: { [T in ActionJobType]: Planner<T> } = {
  ARCHIVE_ARCHIWARE_FILES: planArchive,
  ARCHIVE_ARCHIWARE_SEARCH_RESULT: planArchive,
  RESTORE_ARCHIWARE_FILES: planRestore,
  RESTORE_ARCHIWARE_SEARCH_RESULT: planRestore,
  ARCHIVE_STORAGE_MANAGER_FILES: planStorNext,
  ARCHIVE_STORAGE_MANAGER_SEARCH_RESULT: planStorNext,
  RESTORE_STORAGE_MANAGER_FILES: planStorNext,
  RESTORE_STORAGE_MANAGER_SEARCH_RESULT: planStorNext,
  SODA_TRANSFER: planTransfer,
  SODA_TRANSFER_SEARCH_RESULT: planTransfer,
  ICONIK_UPLOAD: planUpload,
  ICONIK_UPLOAD_SEARCH_RESULT: planUpload,
  COMPARE_FILES: planComparison,
  COMPARE_SEARCH_RESULT: planComparison,
}

/** Plans an action. */
export const planFiles = async (
  platform: Pick<Platform, 'db'>,
  { jobType, payload }: ActionRequest,
  snapshot: Snapshot,
): Promise<ActionPlanning> => (planners[jobType] as Planner<ActionJobType>)(platform, payload as never, snapshot)

/**
 * Archives files of file storages in one part, at the agent and the P5 server that the plan belongs to. Throws 400 for an agent on
 * another machine without an index of these credentials: no administrator has let it have them.
 */
async function planArchive(
  { db }: Pick<Platform, 'db'>,
  { serverId, credentialsId, indexroot }: PayloadOf<'ARCHIVE_ARCHIWARE_FILES' | 'ARCHIVE_ARCHIWARE_SEARCH_RESULT'>,
  snapshot: Snapshot,
): Promise<ActionPlanning> {
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
}

/**
 * Restores entries of archive indexes: one part for each index. Places are the paths in the whole index. The folder to restore to is one of the
 * client, which may run any system.
 */
async function planRestore(
  { db }: Pick<Platform, 'db'>,
  { relocate }: PayloadOf<'RESTORE_ARCHIWARE_FILES' | 'RESTORE_ARCHIWARE_SEARCH_RESULT'>,
  snapshot: Snapshot,
): Promise<ActionPlanning> {
  if (relocate !== null) checkTarget('relocate', relocate, { isAnySystem: true })
  const volumes = volumesOf(snapshot, 'archive')
  const folders = snapshot.archives.folders.map(({ volumeId, path }) => {
    const target = `/${namesOf(path).map(shownName).join('/')}`
    return { volumeId, folder: '/', target }
  })
  const { part, parts } = await partPerVolume(db, volumes)
  return {
    plan: {
      place: placeOf(folders),
      part,
      leftOut: leftOutBy([sql`NOT ${areIn(volumes)}`, 'Not in an archive index'], ...unsendable),
    },
    parts,
  }
}

/**
 * Stores files on tape, or retrieves them: one part for each mapped storage. Places are paths as StorNext has them. The folder to retrieve to must
 * be in a mapped folder, as the agent or as StorNext has it.
 */
async function planStorNext(
  { db }: Pick<Platform, 'db'>,
  payload: object | { relocate: string | null },
  snapshot: Snapshot,
): Promise<ActionPlanning> {
  const mapped = await storNextFolders(db)
  if ('relocate' in payload) checkRelocation(payload.relocate, mapped)
  const volumes = snapshot.volumes.filter(({ volumeId }) => mapped.some((folder) => folder.volumeId === volumeId))
  const folders = mapped.map(({ volumeId, folder, storageManagerPath: target }) => ({
    volumeId,
    folder: `${folder}/`,
    target,
  }))
  const { part, parts } = await partPerVolume(db, volumes)
  const place = placeOf(folders)
  return {
    plan: {
      place,
      part,
      leftOut: leftOutBy([sql`NOT ${areIn(volumes)} OR ${place} = ''`, 'No Quantum StorNext path'], ...unsendable),
    },
    parts,
  }
}

function checkRelocation(relocate: string | null, mapped: readonly StorNextFolder[]): void {
  if (relocate === null) return
  checkTarget('relocate', relocate, { isAnySystem: true })
  const folders = mapped.flatMap(({ dataintellPath, storageManagerPath }) => [
    dataintellPath,
    storageManagerPath || '/',
  ])
  if (!folders.some((folder) => isPrefix(folder, relocate)))
    invalid('relocate', 'must be in a folder that has a Quantum StorNext path')
}
