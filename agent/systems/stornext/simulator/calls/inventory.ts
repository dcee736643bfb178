import type { Media } from '../contents/media.ts'
import { classOfPath, filesOn, type StorageManager } from '../contents/storageManager.ts'
import { Failed, failureStatus, type Response, statusesOf, successful } from '../statuses.ts'
import { type Call, required } from './call.ts'

const maxMedia = 64

/** `policy/fsclassinfo`. Field names other than `class` are our own. */
export function classInfo({ classes }: StorageManager, call: Call): Response {
  const name = required(call, 'policy')
  const found = classes.get(name)
  if (!found) throw new Failed('no class', name)
  return { statuses: [successful()], classes: [{ class: name, copies: found.copies, checksum: found.hasChecksums }] }
}

/** `policy/fsdirclass`: the class of a directory. */
export function directoryClass(manager: StorageManager, call: Call): Response {
  const directory = required(call, 'directory')
  const found = classOfPath(manager, directory)
  if (!found) throw new Failed('no class', directory)
  const result = { directory, class: found.name }
  const statuses = [successful()]
  return manager.readings.directoryClass === 'field' ? { statuses, ...result } : { statuses, dirClasses: [result] }
}

/** `media/fsmedinfo`: tapes, with their files if `verbose`. */
export function mediaInfo(manager: StorageManager, call: Call): Response {
  required(call, 'media')
  const ids = call.values('media')
  if (ids.length > maxMedia) throw new Failed('bad parameter', 'media')
  const found = ids.flatMap((id) => manager.media.get(id) ?? [])
  const unknown = ids.filter((id) => !manager.media.has(id))
  const infos = found.map((media) => mediaObject(manager, media, call.value('verbose') === 'true'))
  return {
    statuses: [
      ...unknown.map((id) => failureStatus(manager.readings, 'unknown media', id)),
      ...(found.length > 0 ? [successful()] : []),
    ],
    medias: infos,
  }
}

function mediaObject(manager: StorageManager, media: Media, isVerbose: boolean): object {
  const { mediaId, isOnline, usedBytes, capacityBytes, importedAt, archive } = media
  const files = filesOn(manager, mediaId).map((path) => ({ path }))
  return {
    mediaId,
    currentArchive: isOnline ? archive : 'none',
    percentUsed: Math.round((usedBytes / capacityBytes) * 100),
    importDate: new Date(importedAt).toISOString().slice(0, 19),
    ...(isVerbose ? { files } : {}),
  }
}

/** `media/fsmedlist/state`: tapes in the library, by class. All classes share them. */
export function mediaList({ classes, media }: StorageManager): Response {
  const medias = [...media.values()].filter(({ isOnline }) => isOnline).map(({ mediaId }) => ({ mediaId }))
  return {
    statuses: [successful()],
    classes: [...classes.keys()].map((name) => ({ class: name, available: { medias } })),
  }
}

/** `quota/snquota`: one quota for each directory of a class. */
export function quotas({ classes, readings }: StorageManager, call: Call): Response {
  const where = call.value('fsname') ?? call.value('path')
  if (where === undefined || call.value('action') !== 'listall') throw new Failed('bad parameter', 'action')
  const directories = [...classes.values()].flatMap((policyClass) => policyClass.directories)
  return {
    statuses: statusesOf(readings, 'snquota', []),
    directoryQuotas: directories.map((name) => ({ type: 'dir', name, hardLimit: 0, softLimit: 0 })),
  }
}

/** `system/info`. Field names are our own. */
export const systemInfo = (): Response => ({
  statuses: [successful()],
  systemInfo: { hostName: 'mdc1', version: '7.1.0', product: 'StorNext' },
})
