import { create, type Disk, foldersOf, freeName, newNode, type Node, places } from './disk.ts'
import type { Random } from './random.ts'

const changes = [
  'create',
  'createFolder',
  'change',
  'delete',
  'move',
  'move',
  'otherKind',
  'link',
  'access',
  'readable',
  'failing',
] as const

/** Does something to the disk that people, programs and broken disks do. */
export function changeDisk(random: Random, disk: Disk): void {
  const all = places(disk)
  const kind = random.pick(changes)
  if (kind === 'create' || kind === 'createFolder' || all.length === 0)
    return void create(random, disk, kind === 'createFolder')
  const { parent, node } = random.pick(all)
  switch (kind) {
    case 'change':
      return void Object.assign(node.facts, { size: node.facts.size + 1, modified: disk.now++ })
    case 'access':
      return void Object.assign(node.facts, { accessed: disk.now++ })
    case 'delete':
      return remove(disk, parent, node)
    case 'move':
      return move(random, disk, parent, node)
    case 'otherKind': {
      remove(disk, parent, node)
      const other = create(random, disk, !node.children, parent)
      parent.children?.delete(other.name)
      other.name = node.name
      return void parent.children?.set(other.name, other)
    }
    case 'link':
      return node.children ? undefined : link(random, disk, node)
    case 'readable':
      if (node.children) node.unreadable = random.pick(['no', 'wholly', 'partly'])
      return
    case 'failing':
      node.failing = !node.failing
  }
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
