import type { Inode } from '../tree/inodes.ts'
import type { Name } from '../tree/names.ts'
import type { TreeView } from '../tree/view.ts'
import type { Row } from './attributes.ts'

/** A directory and the number of its children that have been read. */
export type Position = [directory: number, read: number]

export type Walk = {
  view: TreeView
  /** Levels below the first directory whose entries are read; Infinity for all. */
  maxDepth: number
  listOf(directory: Inode): readonly [Name, number][]
  accepts(row: Row): boolean
  enters(directory: Inode): boolean
}

/**
 * Calls `visit` for the next entries of a walk, `limit` at most. A directory comes before the entries below it. Returns the positions from
 * which the next page continues, or undefined at the end.
 */
export function walkPage(walk: Walk, from: readonly Position[], limit: number, visit: (row: Row) => void) {
  const levels = from.map(([directory, read]) => ({ directory, read, list: listAt(walk, directory) }))
  let count = 0
  for (let level = levels.at(-1); level && count < limit; level = levels.at(-1)) {
    const next = level.list[level.read++]
    if (next === undefined) {
      levels.pop()
      continue
    }
    const [name, index] = next
    const inode = walk.view.get(index)
    if (inode === undefined) continue
    const row = { inode, name, directory: level.directory }
    if (walk.accepts(row)) {
      visit(row)
      count++
    }
    if (inode.kind === 'directory' && levels.length <= walk.maxDepth && walk.enters(inode))
      levels.push({ directory: index, read: 0, list: walk.listOf(inode) })
  }
  while (levels.length > 0 && isRead(levels.at(-1))) levels.pop()
  return levels.length === 0 ? undefined : levels.map(({ directory, read }): Position => [directory, read])
}

function listAt({ view, listOf }: Walk, directory: number): readonly [Name, number][] {
  const inode = view.get(directory)
  return inode ? listOf(inode) : []
}

const isRead = (level: { read: number; list: readonly unknown[] } | undefined): boolean =>
  level !== undefined && level.read >= level.list.length
