import { kinds, type Kind } from './inodes.ts'
import { nameOf } from './names.ts'
import type { Path, Tree } from './tree.ts'

/** Names that clients often get wrong, next to plain ones. */
const oddNames = [
  ' leading and trailing ',
  'per%cent %41',
  'plus+and&and=',
  'co:lon;semi',
  'back\\slash',
  'hash#question?',
  '"double" and \'single\'',
  'tab\tand\nnew line',
  '*[brackets]{braces}',
  '~tilde^caret`tick|pipe<>',
  '...',
  '.hidden',
  '-dash',
  '日本語のファイル.mov',
  'é composed.mov',
  'é combining.mov',
  '🎬 take 1.mov',
  `${'long '.repeat(50)}.mov`,
  'Case.mov',
  'case.mov',
  'U+EF80 \uef80.mov',
]

/**
 * Adds `count` entries below `path`, always the same: shows with reels, shots and frames. From 3,000 entries on there is a directory of odd
 * names, one entry of each kind, and a directory of 1,000 names that are not UTF-8. From 100,000 on, one directory has 20,000 entries.
 */
export function fillTree(tree: Tree, count: number, path: Path = '/ifs/data'): void {
  const root = tree.ensureDirectory(path).index
  const filler = new Filler(tree, count)
  if (count >= 3_000) {
    filler.addAll(root, 'odd names', oddNames.map(nameOf))
    filler.addKinds(root)
    filler.addAll(
      root,
      'not UTF-8',
      countedNames(1_000, (i) => `clip \xff\xfe${i}.mov`),
    )
  }
  if (count >= 100_000)
    filler.addAll(
      root,
      'render',
      countedNames(20_000, (i) => `frame.${String(i).padStart(6, '0')}.exr`),
    )
  for (let show = 0; filler.left > 0; show++) filler.addShow(root, show)
}

const countedNames = (count: number, name: (i: number) => string): string[] =>
  Array.from({ length: count }, (_, i) => name(i))

const extensions = ['exr', 'mov', 'wav', 'dpx', 'xml']
const firstTime = 1_500_000_000

class Filler {
  left: number
  readonly #tree: Tree

  constructor(tree: Tree, count: number) {
    this.#tree = tree
    this.left = count
  }

  addAll(parent: number, directory: string, names: readonly string[]): void {
    const index = this.#addDirectory(parent, directory)
    for (const name of names) this.#addFile(index, name)
  }

  addKinds(parent: number): void {
    const index = this.#addDirectory(parent, 'kinds')
    for (const kind of Object.keys(kinds) as Kind[]) {
      if (this.left-- <= 0) return
      this.#tree.addAt(index, kind, { kind, uid: 0, gid: 0, size: kind === 'symlink' ? 12 : 0 })
    }
  }

  addShow(parent: number, number: number): void {
    const show = this.#addDirectory(parent, `show ${number}`)
    for (let reel = 0; reel < 10 && this.left > 0; reel++) {
      const directory = this.#addDirectory(show, `reel ${reel}`)
      for (let shot = 0; shot < 20 && this.left > 0; shot++) {
        const frames = 5 + ((number * 31 + reel * 17 + shot * 7) % 90)
        const extension = extensions[(number + shot) % extensions.length]
        this.addAll(
          directory,
          `shot ${shot}`,
          countedNames(Math.min(frames, this.left), (i) => `take.${i}.${extension}`),
        )
      }
    }
  }

  #addDirectory(parent: number, name: string): number {
    if (this.left-- <= 0) return parent
    return this.#tree.addAt(parent, name, { kind: 'directory', ...timesOf(this.#tree.inodeCount) }).index
  }

  #addFile(parent: number, name: string): void {
    if (this.left-- <= 0) return
    const seed = this.#tree.inodeCount
    const uid = seed % 10 === 0 ? 4_000 + (seed % 7) : 1_001 + (seed % 2)
    const size = seed % 50 === 0 ? seed * 40_961 : (seed * 7_919) % 1_000_003
    this.#tree.addAt(parent, name, { size, uid, ...timesOf(seed) })
  }
}

function timesOf(seed: number) {
  const btime = firstTime + ((seed * 601) % 200_000_000)
  const mtime = btime + (seed % 100_000)
  return { btime, mtime, ctime: mtime, atime: mtime + (seed % 1_000_000) }
}
