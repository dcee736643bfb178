import type { Row } from './expectedRows.ts'

/** Number of versions that a commit closes, by kind of ending, and number it opens. */
type Changes = { changed: number; deleted: number; moved: number; opened: number }

/** The versions after a commit: unchanged entries keep their version, and moved entries know their previous path. */
export function commitRows(before: Map<string, Row>, found: Map<string, Row>, scanId: number) {
  const after = new Map<string, Row>()
  const changes: Changes = { changed: 0, deleted: 0, moved: 0, opened: 0 }
  const moves = pairMoves(before, found)
  for (const [key, row] of found) {
    const old = before.get(key)
    if (old && isSame(old, row)) {
      after.set(key, old)
      continue
    }
    changes.opened++
    if (old) changes.changed++
    const moved = before.get(moves.get(key) ?? '')
    const previousPath = moved ? moved.parentPath + moved.name : (old?.previousPath ?? '')
    after.set(key, { ...row, fromScan: scanId, previousPath })
  }
  changes.moved = moves.size
  changes.deleted = [...before.keys()].filter((key) => !found.has(key)).length - moves.size
  return { after, changes, moves }
}

/** The inode, and a change of only the access time of a folder or symbolic link, make no new version. */
function isSame(old: Row, row: Row): boolean {
  const compared = ({ fromScan: _, previousPath: __, inode: ___, accessed, lastAccess, ...rest }: Row) =>
    JSON.stringify([rest, row.isDirectory ? lastAccess : row.linkTarget === '' ? accessed : 0])
  return compared(old) === compared(row)
}

/** The previous entry of each new one: the next of the missing entries with its inode, size and modified time. */
function pairMoves(before: Map<string, Row>, found: Map<string, Row>): Map<string, string> {
  const gone = inOrder(before).filter(([key]) => !found.has(key))
  const came = inOrder(found).filter(([key]) => !before.has(key))
  const moves = new Map<string, string>()
  for (const [key, row] of came) {
    const at = gone.findIndex(([, old]) => isMoved(old, row))
    const [taken] = at < 0 ? [] : gone.splice(at, 1)
    if (taken) moves.set(key, taken[0])
  }
  return moves
}

const isMoved = (old: Row, row: Row): boolean =>
  old.inode === row.inode &&
  row.inode !== 0 &&
  row.size >= 0 &&
  old.size === row.size &&
  old.modified === row.modified &&
  old.isDirectory === row.isDirectory

const inOrder = (rows: Map<string, Row>): [string, Row][] =>
  [...rows].sort(([, a], [, b]) => compareText(a.parentPath, b.parentPath) || compareText(a.name, b.name))
const compareText = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
