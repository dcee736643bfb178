import { create, type Disk, foldersOf, freeName, newNode, type Node, type Place, places } from './disk.ts'
import type { Random } from './random.ts'

type Change = (random: Random, disk: Disk, place: Place) => void

const changes: Change[] = [
  (random, disk) => create(random, disk, false),
  (random, disk) => create(random, disk, true),
  (_, disk, { node }) => Object.assign(node.facts, { size: node.facts.size + 1, modified: disk.now++ }),
  (_, disk, { node }) => Object.assign(node.facts, { accessed: disk.now++ }),
  (_, disk, { node }) => Object.assign(node.facts, { backedUp: node.children ? 0 : disk.now++ }),
  (_, disk, { parent, node }) => remove(disk, parent, node),
  (random, disk, { parent, node }) => move(random, disk, parent, node),
  (random, disk, { parent, node }) => move(random, disk, parent, node),
  (random, disk, { parent, node }) => makeOtherKind(random, disk, parent, node),
  (random, disk, { node }) => (node.children ? undefined : link(random, disk, node)),
  (random, _, { node }) => {
    if (node.children) node.unreadable = random.pick(['no', 'wholly', 'partly'])
  },
  (_, __, { node }) => {
    node.failing = !node.failing
  },
]

/** Makes a random change of the kind that people, programs and failing disks make. */
export function changeDisk(random: Random, disk: Disk): void {
  const all = places(disk)
  if (all.length === 0) create(random, disk, false)
  else random.pick(changes)(random, disk, random.pick(all))
}

function makeOtherKind(random: Random, disk: Disk, parent: Node, node: Node): void {
  remove(disk, parent, node)
  const other = create(random, disk, !node.children, parent)
  parent.children?.delete(other.name)
  other.name = node.name
  parent.children?.set(other.name, other)
}

/** Not into itself. */
function move(random: Random, disk: Disk, parent: Node, node: Node): void {
  const within = new Set<Node>([node])
  for (const folder of within) for (const child of folder.children?.values() ?? []) within.add(child)
  const target = random.chance(0.4) ? parent : random.pick(foldersOf(disk).filter((folder) => !within.has(folder)))
  parent.children?.delete(node.name)
  node.name = freeName(random, target)
  target.children?.set(node.name, node)
}

function link(random: Random, disk: Disk, node: Node): void {
  const target = random.pick(foldersOf(disk))
  const name = freeName(random, target)
  target.children?.set(name, newNode(name, false, node.facts))
}

function remove(disk: Disk, parent: Node, node: Node): void {
  parent.children?.delete(node.name)
  if (!places(disk).some((place) => place.node.facts === node.facts)) disk.freed.push(node.facts.inode)
}
