import { type Inode, linksOf } from './inodes.ts'
import type { Path, Tree } from './tree.ts'

/** Returns a whole number below its argument, always the same series for a seed. */
export type RandomBelow = (below: number) => number

/** Changes the tree `count` times below a directory, in all ways that a changelist reports differently. Deterministic for a seed. */
export function changeAtRandom(tree: Tree, random: RandomBelow, count: number, below: Path = '/ifs/data'): void {
  const root = tree.ensureDirectory(below).index
  const changes = Object.values(kindsOfChange)
  for (let i = 0; i < count; i++) changes[random(changes.length)]?.(new Chooser(tree, random, root))
}

const kindsOfChange = {
  createFile: (choose: Chooser) => choose.tree.addAt(...choose.newPlace(), { size: choose.random(1e6) }),
  createDirectory(choose: Chooser) {
    const { tree, random } = choose
    const { index } = tree.addAt(...choose.newPlace(), { kind: 'directory' })
    for (let i = random(4); i > 0; i--) tree.addAt(index, `child ${i}`, { size: random(1e5) })
  },
  write: ({ tree, random, entry }: Chooser) =>
    entry.kind === 'file' && tree.setAt(entry.index, { size: random(1e6), mtime: tree.clock.now() }),
  touch: ({ tree, entry }: Chooser) => tree.setAt(entry.index, { mtime: tree.clock.now() }),
  giveAway: ({ tree, random, entry }: Chooser) => tree.setAt(entry.index, { uid: 1_000 + random(5) }),
  rename: (choose: Chooser) => choose.move(choose.entry, { parent: choose.entry.parent, name: choose.newName() }),
  move: (choose: Chooser) => choose.move(choose.entry, choose.newLink()),
  moveDirectory: (choose: Chooser) => choose.move(choose.directory(), choose.newLink()),
  /** Moves `a` to `a/a`: its files keep the paths that they had where they move up again. */
  nestInOwnName(choose: Chooser) {
    const directory = choose.directory()
    const { tree, root } = choose
    if (directory.index === root) return
    const place = { parent: directory.parent, name: directory.name }
    const aside = { parent: directory.parent, name: choose.newName() }
    choose.move(directory, aside)
    const outer = tree.addAt(place.parent, place.name, { kind: 'directory' })
    choose.move(tree.get(directory.index) as Inode, { parent: outer.index, name: place.name })
    const [file] = directory.children?.list() ?? []
    if (file && file[0] !== place.name) choose.move(tree.get(file[1]) as Inode, { parent: outer.index, name: file[0] })
  },
  swapNames(choose: Chooser) {
    const [a, b] = [choose.entry, choose.directory()]
    const { tree, root } = choose
    if (a.index === root || b.index === root || tree.isBelow(a, b.index) || tree.isBelow(b, a.index)) return
    const [placeOfA, placeOfB] = [linksOf(a)[0], linksOf(b)[0]]
    if (!placeOfA || !placeOfB) return
    choose.move(a, { parent: placeOfA.parent, name: choose.newName() })
    choose.move(b, placeOfA)
    choose.move(tree.get(a.index) as Inode, placeOfB)
  },
  hardLink: (choose: Chooser) =>
    choose.entry.kind === 'file' && choose.tree.linkAt(choose.entry.index, choose.newLink()),
  remove: (choose: Chooser) => choose.remove(choose.entry),
  /** Removes an entry; a new one of any kind gets its path. */
  replace(choose: Chooser) {
    const { tree, random, entry } = choose
    const link = choose.remove(entry)
    if (link === undefined) return
    const { index } = tree.addAt(link.parent, link.name, random(2) ? { kind: 'directory' } : { size: random(1e6) })
    if (tree.get(index)?.kind === 'directory') tree.addAt(index, 'child', { size: random(1e6) })
  },
  createAndRemove(choose: Chooser) {
    const [parent, name] = choose.newPlace()
    const { index } = choose.tree.addAt(parent, name, { kind: 'directory' })
    choose.tree.addAt(index, 'short-lived', { size: 1 })
    choose.tree.removeAt(index, { parent, name })
  },
  /** Two changes of one entry between two snapshots. */
  writeAndMove(choose: Chooser) {
    kindsOfChange.write(choose)
    kindsOfChange.move(choose)
  },
} satisfies Record<string, (choose: Chooser) => unknown>

/** Chooses what one change is about. `entry` is below the root; it is the root itself where the tree has few other entries. */
class Chooser {
  readonly tree: Tree
  readonly random: RandomBelow
  readonly root: number
  readonly entry: Inode

  constructor(tree: Tree, random: RandomBelow, root: number) {
    this.tree = tree
    this.random = random
    this.root = root
    this.entry = this.#any(() => true)
  }

  directory = (): Inode => this.#any(({ kind }) => kind === 'directory')

  newName = (): string => `${['new', 'né', 'x y', 'n\xff'][this.random(4)]} ${this.tree.inodeCount}.${this.random(1e6)}`

  newLink = () => ({ parent: this.directory().index, name: this.newName() })

  newPlace(): [parent: number, name: string] {
    const { parent, name } = this.newLink()
    return [parent, name]
  }

  /** Moves an entry, unless it is the root or would be below itself. */
  move(entry: Inode, to: { parent: number; name: string }): void {
    if (entry.index === this.root || this.tree.isBelow(this.tree.get(to.parent), entry.index)) return
    this.tree.moveAt(entry.index, { parent: entry.parent, name: entry.name }, to)
  }

  /** Removes one link of an entry with all below it, and returns that link. The root stays. */
  remove(entry: Inode): { parent: number; name: string } | undefined {
    if (entry.index === this.root) return undefined
    const links = linksOf(entry)
    const link = links[this.random(links.length)]
    if (link) this.tree.removeAt(entry.index, link)
    return link
  }

  #any(accepts: (inode: Inode) => boolean): Inode {
    for (let tries = 0; tries < 100; tries++) {
      const inode = this.tree.get(this.random(this.tree.inodeCount))
      if (inode && inode.index !== this.root && accepts(inode) && this.tree.isBelow(inode, this.root)) return inode
    }
    return this.tree.get(this.root) as Inode
  }
}
