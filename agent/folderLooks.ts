import { opendir } from 'node:fs/promises'
import { type FolderLook, LookRequest, mostFoldersNamed } from '#events/sources/folderCheck.ts'
import type { TaskContext } from './execution.ts'
import { reason } from './systems/local/index.ts'
import type { OpenedSystem } from './systems/system.ts'

/** How long a look may take; a mount that hangs would hold it for ever. */
const lookTimeoutMs = 40_000
/** Shares are mounted for a look under the number of no storage. */
const noVolume = 0

const refused = (why: string): FolderLook => ({ reason: why, isEmpty: false, folders: [], hasMore: false })

/** What is in a folder, before a storage is set up there. */
export async function answerAboutFolder(text: string, systems: TaskContext['systems']): Promise<FolderLook> {
  const source = LookRequest.parse(JSON.parse(text))
  try {
    const system = await systems.open({ volumeId: noVolume, source }, AbortSignal.timeout(lookTimeoutMs))
    try {
      if (system.listing !== 'walk') return refused('It has no folders')
      return await look(system.root).catch((error: unknown) =>
        refused(`${source.path} cannot be read: ${why(system, error)}`),
      )
    } finally {
      await system.close()
    }
  } catch (error) {
    return refused(reason(error))
  }
}

const why = ({ reasonOf }: OpenedSystem, error: unknown) => reasonOf(new Error(reason(error)))

/** Only the folders are named; one that is met after the limit says that there are more. */
async function look(folder: string): Promise<FolderLook> {
  const found = { reason: null, isEmpty: true, folders: [] as string[], hasMore: false }
  for await (const entry of await opendir(folder)) {
    found.isEmpty = false
    if (!entry.isDirectory()) continue
    found.hasMore = found.folders.length >= mostFoldersNamed
    if (found.hasMore) break
    found.folders.push(entry.name)
  }
  return { ...found, folders: found.folders.sort((a, b) => a.localeCompare(b)) }
}
