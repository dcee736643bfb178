import type { Random } from './random.ts'

/** Attributes shared by hard links of a file; a folder has its own. */
export type Facts = {
  inode: number
  size: number
  created: number
  modified: number
  accessed: number
  owner: string
  mode: number
  target: string
  /** Time of the backup; 0 means never. */
  backedUp: number
}

/** An entry of a made-up disk in memory. A broken folder lists only some of its children. */
export type Node = {
  name: string
  facts: Facts
  children: Map<string, Node> | undefined
  unreadable: 'no' | 'wholly' | 'partly'
  /** Its attributes can't be read. */
  failing: boolean
}
export type Disk = { root: Node; nextInode: number; freed: number[]; now: number }

const oddNames = [
  'tab\there',
  'new\nline',
  `quotes'"`,
  'back\\slash\\N',
  'stray\uef80\uefff',
  'smile \u{1f600}.JPG',
  ' ',
  '.hidden',
  '.tar.gz',
  'ends.',
  '..twice',
  '\r\b\f',
  '; DROP TABLE entries --',
  '%s {p0:String} ?*[a]',
  'Ärger.ÄÖ',
]
/** Unknown, the first known one, implausible, and written by npm; and some that files share. */
const oddMoments = [0, 1, -86_400, 5_000_000_000, 4_294_967_295, 499_162_500]
const moments = [...oddMoments, 1_600_000_000, 1_600_000_000, 1_650_000_000, 1_650_000_000, 1_650_043_200]

export function newDisk(random: Random, entries: number): Disk {
  const disk: Disk = { root: newNode('', true, emptyFacts(2)), nextInode: 100, freed: [], now: 1_700_000_000 }
  for (let made = 0; made < entries; made++) create(random, disk, random.chance(0.25))
  return disk
}

const emptyFacts = (inode: number): Facts => ({
  inode,
  size: 4096,
  created: 1_500_000_000,
  modified: 1_500_000_000,
  accessed: 1_500_000_000,
  owner: 'root',
  mode: 0o40755,
  target: '',
  backedUp: 0,
})

export const newNode = (name: string, isFolder: boolean, facts: Facts): Node => ({
  name,
  facts,
  children: isFolder ? new Map() : undefined,
  unreadable: 'no',
  failing: false,
})

/** Creates an entry in some folder; freed inodes are reused, as on real disks. */
export function create(random: Random, disk: Disk, isFolder: boolean, at = random.pick(foldersOf(disk))): Node {
  const inode = disk.freed.pop() ?? disk.nextInode++
  const node = newNode(freeName(random, at), isFolder, {
    ...emptyFacts(inode),
    size: random.pick([0, 1, 10, 10, 4096, 2 ** 40]),
    created: random.chance(0.3) ? random.pick(moments) : disk.now,
    modified: random.chance(0.6) ? random.pick(moments) : disk.now++,
    accessed: random.chance(0.3) ? random.pick(moments) : disk.now++,
    owner: random.pick(['root', 'ana', 'Ölaf']),
    target: !isFolder && random.chance(0.1) ? '/some\twhere' : '',
    backedUp: isFolder ? 0 : random.pick([0, 0, 1_600_000_000, 1_650_043_200]),
  })
  node.facts.mode = kindOf(node) | (permissions[inode % permissions.length] as number)
  at.children?.set(node.name, node)
  return node
}

const permissions = [0o755, 0o640, 0o777, 0o1777]
const kindOf = ({ children, facts }: Node): number => (children ? 0o040000 : facts.target === '' ? 0o100000 : 0o120000)

export function freeName(random: Random, folder: Node): string {
  for (;;) {
    const name = random.chance(0.3)
      ? random.pick(oddNames)
      : `${random.pick(['a', 'b', 'c', 'd'])}${random.below(9)}.txt`
    if (!folder.children?.has(name)) return name
    if (random.chance(0.2)) return `${name}~${random.below(1e9)}`
  }
}

export type Place = { parent: Node; node: Node; path: string }

/** Everything below the root, folders before their contents. */
export function places(disk: Disk): Place[] {
  const found: Place[] = []
  const visit = (parent: Node, path: string) => {
    for (const node of parent.children?.values() ?? []) {
      found.push({ parent, node, path: `${path}/${node.name}` })
      visit(node, `${path}/${node.name}`)
    }
  }
  visit(disk.root, '')
  return found
}

export const foldersOf = (disk: Disk): Node[] => [
  disk.root,
  ...places(disk).flatMap(({ node }) => (node.children ? [node] : [])),
]

/** Number of names of each file. */
export const linkCounts = (disk: Disk): Map<Facts, number> => {
  const counts = new Map<Facts, number>()
  for (const { node } of places(disk)) counts.set(node.facts, (counts.get(node.facts) ?? 0) + 1)
  return counts
}
