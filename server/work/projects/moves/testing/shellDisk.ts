import { type Disk, newDisk, newNode, type Node } from '#server/content/snapshots/oracle/disk.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'

/** A disk that is changed like with a shell: by paths. Changes of a folder's contents change its modified time. */
export function shellDisk() {
  const disk: Disk = newDisk(newRandom(1), 0)
  const at = (path: string): Node => {
    let node = disk.root
    for (const name of path.split('/').slice(1).filter(Boolean)) node = node.children?.get(name) ?? mkdir(node, name)
    return node
  }
  const split = (path: string) => {
    const parent = at(path.slice(0, path.lastIndexOf('/')))
    parent.facts.modified = disk.now++
    return { parent, name: path.slice(path.lastIndexOf('/') + 1) }
  }
  const facts = (size: number) => {
    const moment = disk.now++
    const times = { created: moment, modified: moment, accessed: moment, backedUp: 0 }
    return { inode: disk.nextInode++, size, ...times, owner: 'ana', mode: 0o644, target: '' }
  }
  const mkdir = (parent: Node, name: string): Node => {
    const node = newNode(name, true, facts(0))
    parent.children?.set(name, node)
    return node
  }
  return {
    disk,
    mkdir: (path: string) => void at(path),
    /** Writes a new file, also the folders above it. */
    write(path: string, size: number) {
      const { parent, name } = split(path)
      parent.children?.set(name, newNode(name, false, facts(size)))
    },
    mv(from: string, to: string) {
      const source = split(from)
      const node = source.parent.children?.get(source.name) as Node
      source.parent.children?.delete(source.name)
      const { parent, name } = split(to)
      node.name = name
      parent.children?.set(name, node)
    },
    rm(path: string) {
      const { parent, name } = split(path)
      parent.children?.delete(name)
    },
  }
}
