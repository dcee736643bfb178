import { opendir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { compareNames } from '#events/contract/names.ts'
import { quarantineFolder } from '#events/scans/notEntered.ts'
import { ruleForSnapshots, snapshotFolderNames } from '#events/scans/snapshotFolders.ts'
import { SourceOrder } from '#events/sources/scanOrder.ts'
import { emptyProbe, type FolderProbe, maxFoldersNamed } from '#events/sources/folderCheck.ts'
import type { TaskContext } from './execution.ts'
import { mayShareSpace, mountsAround } from './systems/local/boundaries.ts'
import { reason as describeError } from './systems/local/index.ts'
import { probes } from './systems/index.ts'
import { fieldOf, messageOf, type OpenedSystem } from './systems/system.ts'

/** Timeout of a probe; a hanging mount would block it forever. */
const probeTimeoutMs = 40_000
/** Volume number for mounting a share that is not a storage yet. */
const noVolume = 0

const noMounts = { notEntered: [], realPath: null, mountsAbove: [], sharesSpace: false }
/** Number of folders in the folder that are searched for snapshots. */
const maxSearched = 100
const failed = (reason: string, field: FolderProbe['field']): FolderProbe => ({ ...emptyProbe, reason, field })

/** Lists a folder before a storage is set up there; those of some systems are only tried. */
export async function probeFolder(text: string, systems: TaskContext['systems']): Promise<FolderProbe> {
  const source = SourceOrder.parse(JSON.parse(text))
  const probe = probes[source.kind] as Probe | undefined
  if (probe) return probeSystem(probe, source)
  try {
    const system = await systems.open({ volumeId: noVolume, source }, AbortSignal.timeout(probeTimeoutMs))
    try {
      if (system.listing !== 'walk') return failed('The storage has no folders', null)
      const mounts = source.kind === 'fileStorage' ? await aboutMounts(system.root) : noMounts
      return await listFolders(system.root)
        .then((found) => ({ ...found, ...mounts }))
        .catch((error: unknown) =>
          failed(
            `${'path' in source ? source.path : 'The storage'} cannot be read: ${readError(system, error)}`,
            'path',
          ),
        )
    } finally {
      await system.close()
    }
  } catch (error) {
    return failed(describeError(error), source.kind === 'fileStorage' ? 'path' : fieldOf(error))
  }
}

const aboutMounts = async (root: string) => ({
  ...(await mountsAround(root)),
  sharesSpace: await mayShareSpace(root, false).catch(() => false),
})

type Probe = (source: SourceOrder, signal: AbortSignal) => Promise<void>

async function probeSystem(probe: Probe, source: SourceOrder): Promise<FolderProbe> {
  const signal = AbortSignal.timeout(probeTimeoutMs)
  try {
    await probe(source, signal)
    return { ...failed('', null), reason: null }
  } catch (error) {
    const host = 'host' in source ? source.host : 'The storage'
    return signal.aborted ? failed(`${host} does not answer in time`, 'host') : failed(messageOf(error), fieldOf(error))
  }
}

const readError = ({ reasonOf }: OpenedSystem, error: unknown) => reasonOf(new Error(describeError(error)))

/** Lists only folders. `hasMore` is set by the first folder over the limit. */
async function listFolders(folder: string): Promise<Omit<FolderProbe, keyof typeof noMounts>> {
  const found = { reason: null, field: null, isEmpty: true, folders: [] as string[], hasMore: false }
  for await (const entry of await opendir(folder)) {
    found.isEmpty = false
    if (!entry.isDirectory() || entry.name === quarantineFolder) continue
    found.hasMore = found.folders.length >= maxFoldersNamed
    if (found.hasMore) break
    found.folders.push(entry.name)
  }
  const folders = found.folders.sort(compareNames)
  return { ...found, folders, snapshotRules: await snapshotRules(folder, folders) }
}

/** Ignored paths for the snapshots in a folder and in its own folders. Some file servers don't list them. */
async function snapshotRules(folder: string, folders: readonly string[]): Promise<string[]> {
  const searched = [folder, ...folders.slice(0, maxSearched).map((name) => join(folder, name))]
  const found = await Promise.all(
    searched.flatMap((above) => snapshotFolderNames.map((name) => existingFolder(join(above, name)))),
  )
  const names = [...folders, ...found.flatMap((path) => (path === undefined ? [] : basename(path)))]
  return [...new Set(names.flatMap((name) => ruleForSnapshots(name) ?? []))].sort()
}

const existingFolder = (path: string): Promise<string | undefined> =>
  stat(path).then(
    (found) => (found.isDirectory() ? path : undefined),
    () => undefined,
  )
