import type { ManagedFile } from '../contents/managedFile.ts'
import { classOfPath, type StorageManager } from '../contents/storageManager.ts'
import { Failed, type Response, statusesOf } from '../statuses.ts'
import type { Readings } from '../unconfirmed.ts'
import { type Call, required } from './call.ts'

/** `file/fsfileinfo`. Unknown files are missing from the list and have a status each. */
export function fileInfo(manager: StorageManager, call: Call): Response {
  required(call, 'file')
  const withChecksums = call.value('checksum') === 'true'
  const found = call.values('file').map((path) => ({ path, file: manager.files.get(path) }))
  const results = found.map(({ path, file }) => {
    const failure = file ? file.isDeleted && ('deleted file' as const) : ('unknown file' as const)
    return { path, failure: failure || undefined }
  })
  const infos = found.flatMap(({ file }) => (file && !file.isDeleted ? [infoOf(manager, file, withChecksums)] : []))
  return { statuses: statusesOf(manager.readings, 'fsfileinfo', results), fileInfos: infos }
}

function infoOf(manager: StorageManager, file: ManagedFile, withChecksums: boolean): object {
  const policyClass = classOfPath(manager, file.path)
  const medias = file.copies.map(({ mediaId, copy }) => ({ mediaId, copy }))
  const checksums = file.copies.flatMap(({ copy, checksums }) =>
    checksums.map((checksumValue, i) => ({ checksumValue, fileSegment: i + 1, copyId: copy })),
  )
  return {
    fileName: file.path,
    storedPathFileName: file.path,
    lastModificationDateString: dateText(manager.readings, file.modifiedAt),
    location: locationOf(manager.readings, file),
    existingCopies: file.copies.length,
    targetCopies: file.size === 0 ? 0 : (policyClass?.copies ?? 0),
    fileSize: file.size,
    targetStubSize: 0,
    ...(policyClass ? { class: policyClass.name } : {}),
    medias: listOrMessage(medias, 'None'),
    ...(withChecksums ? { checksums: listOrMessage(policyClass?.hasChecksums ? checksums : [], 'unknown') } : {}),
  }
}

/** Entries with their number at the end, or a message. */
const listOrMessage = (entries: object[], message: string): object[] =>
  entries.length > 0 ? [...entries, { summary: String(entries.length) }] : [{ message }]

function locationOf({ tapeWord }: Readings, { isForeign, isOnDisk, copies }: ManagedFile): string {
  if (isForeign) return 'FOREIGN SYSTEM'
  if (!isOnDisk) return tapeWord
  return copies.length > 0 ? `DISK AND ${tapeWord}` : 'DISK'
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** A time in UTC. */
function dateText({ dates }: Readings, time: number): string {
  const iso = new Date(time).toISOString().slice(0, 19)
  if (dates === 'ISO') return iso
  const [year = '', month = '', day = ''] = iso.slice(0, 10).split('-')
  return `${day}-${months[Number(month) - 1]}-${year} ${iso.slice(11)}`
}

/** `file/fsfiletapeloc`: position of copy 1 of one file. */
export function tapeLocation({ files, media, readings }: StorageManager, call: Call): Response {
  const path = required(call, 'file')
  const file = files.get(path)
  if (!file || file.isDeleted) throw new Failed('unknown file', path)
  const [copy] = file.copies
  if (!copy) throw new Failed('no copy', path)
  const { mediaId, startBlock } = copy
  const libraryId = media.get(mediaId)?.archive ?? ''
  return {
    statuses: statusesOf(readings, 'fsfiletapeloc', [{ path, failure: undefined }]),
    fileInfo: { fileName: path, mediaId, startBlock, libraryId },
  }
}
