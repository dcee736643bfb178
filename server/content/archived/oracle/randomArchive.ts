import { globalMapping, mapPath, type PathMapping } from '#events/sources/pathMapping.ts'
import type { Random } from '#server/content/snapshots/oracle/random.ts'

/** A file of a storage or an index, by its full path. Times are seconds UTC. */
export type KnownFile = { path: string; size: number; modified: number; backupDate?: number }
export type Index = { root: string; scans: Map<string, KnownFile>[] }
export type Storage = { volumeId: number; root: string; files: Map<string, KnownFile> }

const start = 1_600_000_000
const folders = ['/', '/a/', '/b/', '/a/b/', '/ab/', '/a/ab/']

/** Files of a storage, by their path in it. */
export function randomFiles(random: Random): Map<string, KnownFile> {
  const paths = folders.flatMap((folder) => ['1', '2', "it's"].map((name) => folder + name))
  const taken = paths.filter(() => random.chance(0.7))
  return new Map(taken.map((path) => [path, randomFile(random, path)]))
}

const randomFile = (random: Random, path: string): KnownFile => ({
  path,
  size: random.pick([10, 20]),
  modified: start + random.below(2),
})

/** At most one mapping of each storage, and a global one. */
export function randomMappings(random: Random, storages: readonly Storage[]): PathMapping[] {
  const targets = ['/', '/mnt', '/mnt/x', '/mnt/x/a/', '/Films', '/Films/b', 'mnt/x']
  const mapping = (volumeId: number, root: string): PathMapping => {
    const separator = root.startsWith('\\') ? '\\' : '/'
    const below = random.pick(['', '', 'a', 'a/b', 'ab/']).replaceAll('/', separator)
    return {
      volumeId,
      dataintellPath: below === '' ? root : `${root}${separator}${below}`,
      externalPath: random.pick(targets),
    }
  }
  const own = storages.filter(() => random.chance(0.5)).map(({ volumeId, root }) => mapping(volumeId, root))
  const shared = mapping(globalMapping, random.pick(storages).root)
  const wide = { ...shared, dataintellPath: '/' }
  return random.chance(0.7) ? [...own, random.chance(0.3) ? wide : shared] : own
}

/** Scans of an index from a folder on. Most of its files are at the places of files in storages. */
export function randomIndex(
  random: Random,
  root: string,
  scans: number,
  { storages, mappings }: { storages: readonly Storage[]; mappings: readonly PathMapping[] },
): Index {
  const places = storages.flatMap((storage) =>
    [...storage.files.values()].map((file) => {
      const full = fullPath(storage, file.path)
      const mapped = mapPath(ownMappings(mappings, storage), full, 'fromDataIntell') ?? full
      return { path: random.chance(0.1) ? full : `/${mapped.replace(/^\//, '')}`.replaceAll(/\/{2,}/g, '/'), file }
    }),
  )
  const within = places.filter(({ path }) => path.startsWith(root === '/' ? '/' : `${root}/`))
  const index: Index = { root, scans: [] }
  for (let n = 0; n < scans; n++) {
    const files = new Map(index.scans.at(-1))
    for (const { path, file } of within) {
      if (random.chance(0.15)) files.delete(path)
      else if (random.chance(0.4)) {
        const seen = random.chance(0.6) ? file : randomFile(random, path)
        files.set(path, { ...seen, path, backupDate: start + (n + 1) * 1_000 + random.below(3) })
      }
    }
    index.scans.push(files)
  }
  return index
}

export const ownMappings = (mappings: readonly PathMapping[], { volumeId }: Storage): PathMapping[] =>
  mappings.filter((mapping) => [volumeId, globalMapping].includes(mapping.volumeId))

export function fullPath({ root }: Storage, path: string): string {
  return root.startsWith('\\') ? root + path.replaceAll('/', '\\') : root + path
}
