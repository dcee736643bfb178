import { expect, test } from 'vitest'
import { newDiskEntry } from '../../systems/local/diskEntry.ts'
import { fillStatx } from '../../systems/local/statx.ts'
import { type LoopFinder, mayLoop, newLoopFinder } from './loops.ts'

/** A tree behind a server that follows links: each folder has a time, and names that lead to folders. */
type Node = { time: number; folders: Record<string, string> }
type Tree = Record<string, Node>

const links: Tree = {
  s: { time: 1, folders: { a: 'a', c: 'c' } },
  a: { time: 2, folders: { b: 'b', up: 's' } },
  b: { time: 3, folders: { top: 's' } },
  c: { time: 4, folders: { a: 'a' } },
}

function nodeAt(tree: Tree, path: string): Node | undefined {
  let at = Object.keys(tree)[0] ?? ''
  for (const name of path.split('/').slice(1)) at = tree[at]?.folders[name] ?? ''
  return tree[at]
}

const finderOf = (tree: Tree): LoopFinder =>
  newLoopFinder({
    entry(path) {
      const node = nodeAt(tree, path)
      if (!node) return undefined
      const entry = newDiskEntry()
      const zero = { nlink: 1n, uid: 0n, gid: 0n, ino: 0n, size: 0n, blocks: 0n, atimeNs: 0n, birthtimeNs: 0n, dev: 0n }
      const stats = { ...zero, mode: 0o40755n, mtimeNs: BigInt(node.time) * 1_000_000_000n }
      fillStatx(entry.stat, stats as Parameters<typeof fillStatx>[1])
      return entry
    },
  })

/** Folders that a walk lists, and those that it recognizes as their own ancestors. */
function walk(tree: Tree): { listed: string[]; same: Record<string, string> } {
  const findLoop = finderOf(tree)
  const listed: string[] = []
  const same: Record<string, string> = {}
  for (const pending = ['']; pending.length > 0 && listed.length < 10_000;) {
    const path = pending.pop() ?? ''
    listed.push(path)
    for (const [name, target] of Object.entries(nodeAt(tree, path)?.folders ?? {})) {
      const found = findLoop({ parentPath: `${path}/`, name }, tree[target]?.time ?? 0)
      if (found === undefined) pending.push(`${path}/${name}`)
      else same[`${path}/${name}`] = found
    }
  }
  return { listed: listed.sort(), same }
}

test('a folder that a link leads back to is recognized at once', () => {
  expect(walk(links)).toEqual({
    listed: ['', '/a', '/a/b', '/c', '/c/a', '/c/a/b'],
    same: { '/a/up': '/', '/a/b/top': '/', '/c/a/up': '/', '/c/a/b/top': '/' },
  })
})

test('a folder whose time differs from the one it leads to is recognized a round later', () => {
  const { listed, same } = walk({
    ...links,
    s: { time: 1, folders: { a: 'a' } },
    a: { time: 2, folders: { up: 't' } },
    t: { time: 9, folders: { a: 'a' } },
  })
  expect(listed).toEqual(['', '/a', '/a/up'])
  expect(same).toEqual({ '/a/up/a': '/a' })
})

test('folders with the same name and time are not taken for a loop', () => {
  const chain: Tree = Object.fromEntries(
    Array.from({ length: 6 }, (_, n) => [`${n}`, { time: 1, folders: n < 5 ? { x: `${n + 1}` } : {} }]),
  )
  expect(walk(chain)).toEqual({ listed: ['', '/x', '/x/x', '/x/x/x', '/x/x/x/x', '/x/x/x/x/x'], same: {} })
})

test('loops are looked for where a server may follow links', () => {
  for (const type of ['fuse.rclone', 'fuse.sshfs', 'fuse', 'cifs', 'smb3']) expect(mayLoop(['ext4', type])).toBe(true)
  expect(mayLoop(['ext4', 'xfs', 'btrfs', 'zfs', 'nfs4', 'fuseblk'])).toBe(false)
})
