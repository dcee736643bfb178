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

const finderOf = (tree: Tree, looked: string[]): LoopFinder =>
  newLoopFinder({
    entry(path) {
      looked.push(path)
      const node = nodeAt(tree, path)
      if (!node) return undefined
      const entry = newDiskEntry()
      const zero = { nlink: 1n, uid: 0n, gid: 0n, ino: 0n, size: 0n, blocks: 0n, atimeNs: 0n, birthtimeNs: 0n, dev: 0n }
      const stats = { ...zero, mode: 0o40755n, mtimeNs: BigInt(node.time) * 1_000_000_000n }
      fillStatx(entry.stat, stats as Parameters<typeof fillStatx>[1])
      return entry
    },
  })

/**
 * Folders that a walk lists, and those that it recognizes as their own ancestors. `lookups` are the finder's, for folders that contain one
 * of the names that it requests.
 */
function walk(tree: Tree): { listed: string[]; same: Record<string, string>; lookups: string[] } {
  const looked: string[] = []
  const { find, signs } = finderOf(tree, looked)
  const listed: string[] = []
  const lookups: string[] = []
  const same: Record<string, string> = {}
  for (const pending = ['']; pending.length > 0 && listed.length < 10_000;) {
    const path = pending.pop() ?? ''
    listed.push(path)
    for (const [name, target] of Object.entries(nodeAt(tree, path)?.folders ?? {})) {
      const { time = 0, folders = {} } = tree[target] ?? {}
      const folder = { parentPath: `${path}/`, name }
      const mayBeLoop = signs(folder, time).some((sign) => sign in folders)
      looked.length = 0
      const found = find(folder, time)
      if (mayBeLoop) lookups.push(...looked)
      expect(mayBeLoop || found === undefined).toBe(true)
      if (found === undefined) pending.push(`${path}/${name}`)
      else same[`${path}/${name}`] = found
    }
  }
  return { listed: listed.sort(), same, lookups }
}

test('a folder that a link leads back to is recognized at once', () => {
  expect(walk(links)).toMatchObject({
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
  expect(walk(chain)).toMatchObject({ listed: ['', '/x', '/x/x', '/x/x/x', '/x/x/x/x', '/x/x/x/x/x'], same: {} })
})

test('folders with equal times are looked up one after another only if their names are repeated', () => {
  const top = ['a', 'b', 'c']
  const copy: Tree = {
    root: { time: 1, folders: Object.fromEntries(top.map((name) => [name, name])) },
    ...Object.fromEntries(top.map((name) => [name, { time: 1, folders: { d: 'd', e: 'e' } }])),
    d: { time: 1, folders: { f: 'f' } },
    e: { time: 1, folders: { b: 'f' } },
    f: { time: 1, folders: {} },
  }
  const { listed, same, lookups } = walk(copy)
  expect(listed).toHaveLength(1 + top.length * 5)
  expect(same).toEqual({})
  expect(lookups).toEqual(['/b/e/e', '/b/e/b/e'])
})

test('a folder that cannot be looked up is not its own ancestor', () => {
  const { find } = newLoopFinder({
    entry() {
      throw new Error('EACCES: permission denied')
    },
  })
  expect(find({ parentPath: '/a/', name: 'a' }, 1)).toBe(undefined)
})

test('loops are looked for where a server may follow links', () => {
  for (const type of ['fuse.rclone', 'fuse.sshfs', 'fuse', 'cifs', 'smb3']) expect(mayLoop(['ext4', type])).toBe(true)
  expect(mayLoop(['ext4', 'xfs', 'btrfs', 'zfs', 'nfs4', 'fuseblk'])).toBe(false)
})
