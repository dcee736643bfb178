import { z } from 'zod'
import { filledPath } from '#events/contract/blank.ts'
import { fullPathOf, separatorOf } from './fullPath.ts'

/** Paths below `dataintellPath` are below `externalPath` on the other system. */
export type PathPrefixes = { dataintellPath: string; externalPath: string }

/** The volume id of the mapping that applies to all storages without one of their own. */
export const globalMapping = -1

export type PathMapping = PathPrefixes & { volumeId: number }
export type MappingDirection = 'fromDataIntell' | 'toDataIntell'

/** A path of a mapping. */
export const mappedPath = (label: string) => filledPath(`${label} must not be empty`)

/** The storage of a mapping. */
export const mappedStorage = (label: string) => z.int(`${label} must not be empty`).min(1, `${label} must not be empty`)

/**
 * Maps a path by the longest prefix of whole names; mappings of single storages win over the global one. Undefined when no mapping
 * applies.
 */
export function mapPath(
  mappings: readonly PathMapping[],
  path: string,
  direction: MappingDirection,
): string | undefined {
  const isGlobal = ({ volumeId }: PathMapping) => volumeId === globalMapping
  const individual = mappings.filter((mapping) => !isGlobal(mapping))
  return mapLongest(individual, path, direction) ?? mapLongest(mappings.filter(isGlobal), path, direction)
}

function mapLongest(mappings: readonly PathPrefixes[], path: string, direction: MappingDirection): string | undefined {
  const names = namesOf(path)
  const candidates = mappings
    .map(({ dataintellPath, externalPath }) =>
      direction === 'fromDataIntell'
        ? { from: dataintellPath, to: externalPath }
        : { from: externalPath, to: dataintellPath },
    )
    .filter(({ from }) => isPrefix(from, path))
    .toSorted((a, b) => namesOf(b.from).length - namesOf(a.from).length)
  const [longest] = candidates
  return longest && join(longest.to, names.slice(namesOf(longest.from).length))
}

/** True if a path is a folder, or is below it, by whole names. */
export function isPrefix(folder: string, path: string): boolean {
  const names = namesOf(path)
  return leadOf(folder) === leadOf(path) && namesOf(folder).every((name, i) => name === names[i])
}

/** Path of a folder within a storage: `''` for all of it, otherwise `/a/b`. The folder must be in the storage. */
export const pathWithin = (root: string, folder: string): string =>
  namesOf(folder)
    .slice(namesOf(root).length)
    .map((name) => `/${name}`)
    .join('')

/**
 * Folders of a storage at which another mapping begins to apply, and its root, each once: the names below the root, and the path on the
 * other system, which is the full path itself without a mapping.
 */
export function mappedFoldersOf(
  { volumeId, root }: { volumeId: number; root: string },
  mappings: readonly PathMapping[],
): { names: string[]; target: string }[] {
  const own = mappings.filter((mapping) => [volumeId, globalMapping].includes(mapping.volumeId))
  const begins = own
    .filter(({ dataintellPath }) => isPrefix(root, dataintellPath))
    .map(({ dataintellPath }) => namesOf(dataintellPath).slice(namesOf(root).length))
  return [...new Map([[], ...begins].map((names) => [names.join('/'), names])).values()].map((names) => {
    const path = fullPathOf(root, `/${names.join('/')}`)
    return { names, target: mapPath(own, path, 'fromDataIntell') ?? path }
  })
}

/** `\\` of a Windows share, `/` of an absolute path, else nothing. */
const leadOf = (path: string): string => /^(\\\\|\/)?/.exec(path)?.[0] ?? ''
/** Names of the folders and the entry of a path. */
export const namesOf = (path: string): string[] => path.split(separatorOf(path)).filter((name) => name !== '')

function join(folder: string, names: string[]): string {
  const separator = separatorOf(folder)
  if (names.length === 0) return folder
  return `${folder.endsWith(separator) ? folder : `${folder}${separator}`}${names.join(separator)}`
}
