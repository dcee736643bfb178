import type { SizeBasis } from '#events/contract/sizeBasis.ts'
import { type Folder, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import type { Random } from '#server/content/snapshots/oracle/random.ts'
import type { Stores } from '#server/platform/platform.ts'

/** Facts of a file, shared by its hard links. Times are seconds UTC, 0 is unknown. */
type Facts = {
  inode: number
  size: number
  created: number
  modified: number
  accessed: number
  owner: string
  target: string
  storageClass: string
}

/** A file as a scan saw it. */
export type SeenFile = Facts & { links: number; isRepeated: boolean }
/** A scan, and the number of the file at each path: a moved one keeps it, and one that comes back at its path gets it again. */
export type PastScan = {
  scanId: number
  indexingDate: string
  files: Map<string, SeenFile>
  numbers: Map<string, string>
}
export type PastDisk = {
  volumeId: number
  sizeBasis: SizeBasis
  hasAccessTimes: boolean
  files: Map<string, Facts>
  scans: PastScan[]
  /** The number of the last file at each path. */
  last: Map<string, string>
  nextInode: number
}

const day = 86_400
const folders = ['/', '/a/', '/a/b/', '/c/', '/d/']
export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

export function newPastDisk(
  random: Random,
  given: Pick<PastDisk, 'volumeId' | 'sizeBasis' | 'hasAccessTimes'>,
  now: number,
): PastDisk {
  const disk: PastDisk = { ...given, files: new Map(), scans: [], last: new Map(), nextInode: 100 }
  for (let n = 0; n < 30; n++) {
    const modified = random.chance(0.05) ? 0 : now - random.below(500 * day)
    const accessed = random.chance(0.5) ? modified : modified + random.below(now - modified)
    add(random, disk, { created: random.pick([0, modified]), modified, accessed })
  }
  return disk
}

function freePath(random: Random, { files }: PastDisk): string {
  for (;;) {
    const path = `${random.pick(folders)}${random.pick(['x', 'y', 'z'])}${random.below(40)}.${random.pick(['mov', 'txt'])}`
    if (!files.has(path)) return path
  }
}

function add(
  random: Random,
  disk: PastDisk,
  times: Pick<Facts, 'created' | 'modified' | 'accessed'>,
  path = freePath(random, disk),
): void {
  disk.files.set(path, {
    ...times,
    inode: disk.nextInode++,
    size: random.pick([0, 10, 700, 5_000, 2 ** 33 + random.below(1e6)]),
    owner: random.pick(['ana', 'ben', 'Zoë']),
    target: random.chance(0.05) ? '/some where' : '',
    storageClass: random.pick(['', '', 'COLD', 'warm']),
  })
}

type Change = (random: Random, disk: PastDisk, path: string, now: number) => void
const fact = (disk: PastDisk, path: string): Facts => disk.files.get(path) as Facts
const written = (now: number) => ({ created: now, modified: now, accessed: now })

/** Changes that people and programs make to files, some of it more than once. */
const changes: Change[] = [
  (random, disk, _, now) => add(random, disk, { ...written(now), created: random.pick([0, now]) }),
  (random, disk, path, now) =>
    Object.assign(fact(disk, path), { modified: now, size: fact(disk, path).size + random.below(2) }),
  // Scans access links themselves, so that only files count as read.
  ...Array<Change>(4).fill((_, disk, path, now) => {
    const file = fact(disk, path)
    if (file.target === '') file.accessed = now
  }),
  (_, disk, path) => void disk.files.delete(path),
  (random, disk, path) => move(disk, path, freePath(random, disk)),
  (random, disk, path) => move(disk, path, freePath(random, disk)),
  // A whole folder of files moves, to paths that may have had others.
  (random, disk) => {
    const [from, to] = [random.pick(folders), random.pick(folders)]
    for (const path of [...disk.files.keys()].filter((path) => folderOf(path) === from))
      if (!disk.files.has(to + path.slice(from.length))) move(disk, path, to + path.slice(from.length))
  },
  // Saved by writing another file and giving it the name.
  (random, disk, path, now) => {
    const { owner, size } = fact(disk, path)
    add(random, disk, { ...written(now), created: random.pick([0, now]) }, path)
    Object.assign(fact(disk, path), { owner, size })
  },
  // Restored with the times of an older copy, or one that is newer than the last use known.
  (random, disk, path, now) => {
    const modified = Math.max(0, fact(disk, path).modified + random.pick([-50, 20]) * day)
    add(
      random,
      disk,
      { created: random.pick([0, 0, now]), modified: Math.min(modified, now), accessed: Math.min(modified, now) },
      path,
    )
  },
  // A file comes back at a path where one was.
  (random, disk, _, now) => {
    const gone = [...disk.last.keys()].filter((path) => !disk.files.has(path))
    if (gone.length > 0) add(random, disk, written(now), random.pick(gone))
  },
  (random, disk, path) => void (fact(disk, path).owner = random.pick(['ana', 'ben', 'Zoë'])),
  (random, disk, path) => void disk.files.set(freePath(random, disk), fact(disk, path)),
]

function move({ files }: PastDisk, from: string, to: string): void {
  const facts = files.get(from)
  files.delete(from)
  if (facts) files.set(to, facts)
}

export function changeDisk(random: Random, disk: PastDisk, now: number): void {
  const paths = [...disk.files.keys()]
  const path = paths.length > 0 ? random.pick(paths) : undefined
  if (path === undefined) add(random, disk, written(now))
  else random.pick(changes)(random, disk, path, now)
}

const inOrder = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(folderOf(a)), Buffer.from(folderOf(b))) || Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Scans and commits the disk, and numbers its files. */
export async function scanPastDisk(
  stores: Stores,
  disk: PastDisk,
  indexingDate: string,
  cloneIndex: boolean,
): Promise<void> {
  const sorted = [...disk.files].toSorted(([a], [b]) => inOrder(a, b))
  const names = Map.groupBy(sorted, ([, facts]) => facts)
  const files = new Map(
    sorted.map(([path, facts]): [string, SeenFile] => {
      const links = names.get(facts) ?? []
      const accessed = disk.hasAccessTimes ? facts.accessed : 0
      return [path, { ...facts, accessed, links: links.length, isRepeated: links[0]?.[0] !== path && facts.size > 0 }]
    }),
  )
  const scanId = await scanFolders(stores, { volumeId: disk.volumeId, indexingDate, cloneIndex }, foldersOf(files))
  disk.scans.push({ scanId, indexingDate, files, numbers: numbersOf(disk, files, scanId) })
}

function foldersOf(files: ReadonlyMap<string, SeenFile>): Folder[] {
  const subfolders = (folder: string) =>
    folders.filter((path) => path !== '/' && folderOf(path.slice(0, -1)) === folder)
  return folders.map((folder) => ({
    path: folder.slice(0, -1),
    entries: [
      ...subfolders(folder).map((path) => ({
        path: path.slice(0, -1),
        isDirectory: true,
        inode: 10 + folders.indexOf(path),
        modified: 1_600_000_000,
      })),
      ...[...files].flatMap(([path, { links, target, isRepeated: _, ...facts }]) =>
        folderOf(path) === folder
          ? [
              {
                path,
                ...facts,
                allocatedSize: Math.ceil(facts.size / 512) * 512,
                linkCount: links,
                linkTarget: target,
                mode: target === '' ? 0o100644 : 0o120777,
              },
            ]
          : [],
      ),
    ],
  }))
}

/** A file has moved if one with its inode, size and time of change vanished; of several, in order. */
function numbersOf(
  { scans, last }: PastDisk,
  files: ReadonlyMap<string, SeenFile>,
  scanId: number,
): Map<string, string> {
  const before = scans.at(-1) ?? { files: new Map<string, SeenFile>(), numbers: new Map<string, string>() }
  const keyOf = ({ inode, size, modified }: SeenFile) => `${inode} ${size} ${modified}`
  const gone = Map.groupBy(
    [...before.files].filter(([path]) => !files.has(path)),
    ([, seen]) => keyOf(seen),
  )
  const moved = [...files].flatMap(([path, seen]) => {
    const from = before.files.has(path) ? undefined : gone.get(keyOf(seen))?.shift()?.[0]
    return from === undefined ? [] : [{ path, from, number: before.numbers.get(from) as string }]
  })
  for (const { from } of moved) last.delete(from)
  for (const { path, number } of moved) last.set(path, number)
  return new Map(
    [...files.keys()].map((path) => {
      const number = last.get(path) ?? `${path} since ${scanId}`
      last.set(path, number)
      return [path, number]
    }),
  )
}
