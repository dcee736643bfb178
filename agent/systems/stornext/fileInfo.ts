import type { StoredFile } from '#events/actions/storNext.ts'
import type { Client } from './client.ts'
import { StorNextAway, TooManyFiles } from './failures.ts'
import { problemsIn } from './statuses.ts'
import {
  isDiskLocation,
  isForeignLocation,
  isTapeLocation,
  listOf,
  maxFilesOfCall,
  numberOf,
  propertyOf,
  textOf,
} from './unconfirmed.ts'

/** A file as Storage Manager knows it; undefined for none, and then its own text about that. */
export type Look = { file: StoredFile | undefined; text: string }

/** Looks up files by their paths on the server, 40 at a time. Can be repeated. */
export async function lookUp(client: Client, paths: string[], signal: AbortSignal): Promise<Map<string, Look>> {
  const looks = new Map<string, Look>()
  for (let at = 0; at < paths.length; at += maxFilesOfCall)
    for (const [path, look] of await lookUpSome(client, paths.slice(at, at + maxFilesOfCall), signal))
      looks.set(path, look)
  return looks
}

async function lookUpSome(client: Client, paths: string[], signal: AbortSignal): Promise<Map<string, Look>> {
  try {
    const response = await client.call('file/fsfileinfo', { file: paths, checksum: 'true' }, { signal })
    return looksIn(response, paths, client.host)
  } catch (error) {
    if (!(error instanceof TooManyFiles) || paths.length === 0) throw error
    if (paths.length === 1) return new Map([[paths[0] ?? '', { file: undefined, text: error.message }]])
    const half = Math.ceil(paths.length / 2)
    const first = await lookUpSome(client, paths.slice(0, half), signal)
    return new Map([...first, ...(await lookUpSome(client, paths.slice(half), signal))])
  }
}

/** Files that the server does not know are missing from its response, and have a status that names them. */
function looksIn(response: object, paths: string[], host: string): Map<string, Look> {
  const infos = infosByPath(listOf(propertyOf(response, 'fileInfos')), paths)
  const { ofFiles, general } = problemsIn(response, paths)
  if (infos.size === 0 && ofFiles.size === 0 && general !== '' && !isAboutOneOf(general, paths))
    throw new StorNextAway(`Storage Manager at ${host} can't look up files: ${general}`, general)
  return new Map(
    paths.map((path): [string, Look] => {
      const info = infos.get(path)
      return [path, { file: info && storedFileOf(info), text: ofFiles.get(path) ?? general }]
    }),
  )
}

/** A server may return a name in another Unicode normalization, but not in that of another file. */
function infosByPath(list: unknown[], paths: string[]): Map<string, object> {
  const infos = new Map<string, object>()
  const requested = new Map(paths.map((path) => [path.normalize(), path]))
  for (const info of list)
    for (const name of ['fileName', 'storedPathFileName']) {
      const received = textOf(propertyOf(info, name))
      const path = paths.includes(received) ? received : requested.get(received.normalize())
      if (path !== undefined) infos.set(path, info as object)
    }
  return infos
}

/** True for a text that names a file in another spelling, such as with escaped characters. */
function isAboutOneOf(text: string, paths: string[]): boolean {
  const plain = (value: string) => value.replaceAll(/[^A-Za-z0-9/]/g, '')
  return paths.some((path) => plain(text).includes(plain(path)))
}

export function storedFileOf(info: object): StoredFile {
  const value = (name: string) => propertyOf(info, name)
  const location = textOf(value('location'))
  const copies = { existingCopies: numberOf(value('existingCopies')), targetCopies: numberOf(value('targetCopies')) }
  const checksums = checksumsIn(value('checksums'))
  const isEmpty = textOf(value('fileSize')) !== '' && numberOf(value('fileSize')) === 0
  const hasAllCopies = copies.existingCopies > 0 && copies.existingCopies >= copies.targetCopies
  return {
    location,
    isOnDisk: isDiskLocation(location),
    isOnTape: copies.existingCopies > 0 || isTapeLocation(location),
    isSafe: isEmpty || (hasAllCopies && !isForeignLocation(location) && areCopiesEqual(checksums)),
    policyClass: textOf(value('class')),
    ...copies,
    media: mediaIn(value('medias')),
    checksums,
    size: numberOf(value('fileSize')),
    stubSize: numberOf(value('targetStubSize')),
    modified: textOf(value('lastModificationDateString')),
    raw: { ...info },
  }
}

/** Lists have entries of other kinds, such as a summary. */
const mediaIn = (list: unknown): StoredFile['media'] =>
  listOf(list)
    .filter((entry) => textOf(propertyOf(entry, 'mediaId')) !== '')
    .map((entry) => ({ mediaId: textOf(propertyOf(entry, 'mediaId')), copy: numberOf(propertyOf(entry, 'copy')) }))

const checksumsIn = (list: unknown): StoredFile['checksums'] =>
  listOf(list)
    .filter((entry) => textOf(propertyOf(entry, 'checksumValue')) !== '')
    .map((entry) => ({
      value: textOf(propertyOf(entry, 'checksumValue')),
      segment: numberOf(propertyOf(entry, 'fileSegment')),
      copy: numberOf(propertyOf(entry, 'copyId')),
    }))

/** True if all copies of each segment have the same checksum, or none. */
export function areCopiesEqual(checksums: StoredFile['checksums']): boolean {
  const values = new Map<number, string>()
  return checksums.every(({ segment, value }) => {
    const first = values.get(segment) ?? value
    values.set(segment, first)
    return first.toLowerCase() === value.toLowerCase()
  })
}
