import type { ActionRequest } from '#events/actions/plans.ts'
import { builtInAgent } from '#events/agents.ts'
import type { PayloadOf } from '#events/jobs/payloads.ts'
import type { ActionJobType } from '#events/jobs/types.ts'
import { shownName } from '#events/sources/p5Names.ts'
import { namesOf } from '#events/sources/pathMapping.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Platform } from '#server/platform/platform.ts'
import { invalid } from '#server/platform/problem.ts'
import type { Snapshot } from '#server/snapshots/reading/snapshotAt.ts'
import { archiwareServers } from '#server/sources/index.ts'
import { storNextFolders } from '../stornext/mappings.ts'
import { planComparison } from '../contents/planComparison.ts'
import { planUpload } from '../iconik/planUpload.ts'
import { planTransfer } from '../transfers/planTransfer.ts'
import { type ActionPlanning, areIn, partPerVolume, volumesOf } from './parts.ts'
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
  { serverId, credentialsId }: PayloadOf<'ARCHIVE_ARCHIWARE_FILES' | 'ARCHIVE_ARCHIWARE_SEARCH_RESULT'>,
  snapshot: Snapshot,
): Promise<ActionPlanning> {
  const isAllowed = ({ agentId, credentialsId: id }: { agentId: number; credentialsId: number | null }) =>
    agentId === serverId && id === credentialsId
  if (serverId !== builtInAgent && !(await archiwareServers(db)).some(isAllowed))
    invalid('serverId', 'must be an agent with an Archiware index that uses these credentials')
  const volumes = volumesOf(snapshot, 'file')
  return {
    plan: {
      place: placeOf(placedFolders(volumes, snapshot.archives.mappings)),
      leftOut: sql`multiIf(NOT ${areIn(volumes)}, 'Not on a file storage', size < 0, 'No longer there', '')`,
    },
    parts: [{ part: 0, system: credentialsId, serverId }],
  }
}

/** Restores entries of archive indexes: one part for each index. Places are the paths in the whole index. */
async function planRestore({ db }: Pick<Platform, 'db'>, _: unknown, snapshot: Snapshot): Promise<ActionPlanning> {
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
      leftOut: sql`multiIf(NOT ${areIn(volumes)}, 'Not in an archive index', size < 0, 'No longer there', '')`,
    },
    parts,
  }
}

/** Stores files on tape, or retrieves them: one part for each mapped storage. Places are paths as StorNext has them. */
async function planStorNext({ db }: Pick<Platform, 'db'>, _: unknown, snapshot: Snapshot): Promise<ActionPlanning> {
  const mapped = await storNextFolders(db)
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
      leftOut: sql`multiIf(NOT ${areIn(volumes)} OR ${place} = '', 'No Quantum StorNext path', size < 0, 'No longer there', '')`,
    },
    parts,
  }
}
