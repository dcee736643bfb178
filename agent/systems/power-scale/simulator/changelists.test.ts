import { expect, test } from 'vitest'
import { cluster } from '../testing.ts'
import { entryWriter } from './changelists.ts'
import { changeAtRandom, fillTree, type PowerScaleSimulator, type Switches, type Tree } from './index.ts'

type ListedEntry = {
  id: string
  lin: number
  parent_lin: number
  path: string
  file_type: string
  change_types: string[]
}

/** Entries of the changelist of a change below `/ifs/data`, as texts such as `/a: ADDED PATH_CHANGED`. */
async function changesOf(
  prepare: (tree: Tree) => void,
  change: (tree: Tree) => void,
  { switches = {}, root = '/ifs/data' }: { switches?: Partial<Switches>; root?: string } = {},
) {
  const { tree, clock, snapshots, changelists, switches: used } = await cluster({ switches })
  clock.set(1_735_000_000)
  tree.ensureDirectory(root)
  prepare(tree)
  const older = snapshots.create({ name: 'older', path: root })
  clock.advance(60)
  change(tree)
  const newer = snapshots.create({ name: 'newer', path: root })
  changelists.build(older, newer)
  const listed = changelists.find(older.id, newer.id)?.entries.slice() ?? []
  const entries = listed.map(entryWriter(used)).map((text) => JSON.parse(text) as ListedEntry)
  const texts = entries.map(({ path, change_types: types }) => `${path}: ${types.join(' ').replaceAll('ENTRY_', '')}`)
  return { entries, texts }
}

const oneFile = (tree: Tree) => void tree.add('/ifs/data/file', { size: 20_742 })

test('an added file and its directory are listed, the root with an empty path', async () => {
  const { entries } = await changesOf(
    () => {},
    (tree) => tree.add('/ifs/data/new.mov', { size: 20_742 }),
  )
  expect(entries).toMatchObject([
    { path: '', file_type: 'directory', change_types: ['ENTRY_MODIFIED'], parent_lin: 2 },
    {
      id: String((2n ** 32n + 2n) * 16n),
      path: '/new.mov',
      file_type: 'regular',
      change_types: ['ENTRY_ADDED'],
      size: 20_742,
      mtime: { sec: 1_735_000_060 },
    },
  ])
  expect(entries[1]?.parent_lin).toBe(entries[0]?.lin)
})

test('a move is a pair with the old path and the new one, and the removal is last', async () => {
  const { entries, texts } = await changesOf(
    (tree) => {
      oneFile(tree)
      tree.addDirectory('/ifs/data/a')
    },
    (tree) => tree.move('/ifs/data/file', '/ifs/data/a/moved'),
  )
  expect(texts).toEqual([': MODIFIED', '/a/moved: ADDED PATH_CHANGED', '/a: MODIFIED', '/file: REMOVED PATH_CHANGED'])
  const [, added, , removed] = entries
  expect(removed).toMatchObject({ lin: added?.lin, file_type: '(REMOVED)' })
  expect(BigInt(removed!.id) - BigInt(added!.id)).toBe(2n ** 61n)
})

test('a file that was also written is modified in its new place', async () => {
  const { texts } = await changesOf(oneFile, (tree) => {
    tree.write('/ifs/data/file', 5)
    tree.move('/ifs/data/file', '/ifs/data/renamed')
  })
  expect(texts).toContain('/renamed: ADDED PATH_CHANGED MODIFIED')
})

test('the children of a moved directory are not listed, but those of a removed one', async () => {
  const prepare = (tree: Tree) => {
    tree.ensureDirectory('/ifs/data/a/b')
    tree.add('/ifs/data/a/b/file')
  }
  const moved = await changesOf(prepare, (tree) => tree.move('/ifs/data/a', '/ifs/data/z'))
  expect(moved.texts).toEqual([': MODIFIED', '/z: ADDED PATH_CHANGED', '/a: REMOVED PATH_CHANGED'])
  const removed = await changesOf(prepare, (tree) => tree.remove('/ifs/data/a'))
  expect(removed.texts).toEqual([
    ': MODIFIED',
    '/a: REMOVED',
    '/a/b: REMOVED PARENT_REMOVED',
    '/a/b/file: REMOVED PARENT_REMOVED',
  ])
})

test('a path that is used again is listed twice', async () => {
  const { texts, entries } = await changesOf(oneFile, (tree) => {
    tree.remove('/ifs/data/file')
    tree.addDirectory('/ifs/data/file')
  })
  expect(texts).toEqual([': MODIFIED', '/file: ADDED', '/file: REMOVED'])
  expect(entries[1]).toMatchObject({ file_type: 'directory' })
  expect(entries[1]?.lin).not.toBe(entries[2]?.lin)
})

test('a file can move to its own path, when its directory moves below a new one of the same name', async () => {
  const { texts } = await changesOf(
    (tree) => {
      tree.addDirectory('/ifs/data/x')
      tree.add('/ifs/data/x/file_3.bin')
    },
    (tree) => {
      tree.move('/ifs/data/x', '/ifs/data/aside')
      tree.addDirectory('/ifs/data/x')
      tree.move('/ifs/data/aside', '/ifs/data/x/x')
      tree.move('/ifs/data/x/x/file_3.bin', '/ifs/data/x/file_3.bin')
    },
  )
  expect(texts).toEqual([
    ': MODIFIED',
    '/x/x: ADDED PATH_CHANGED MODIFIED',
    '/x/file_3.bin: ADDED PATH_CHANGED',
    '/x: ADDED',
    '/x: REMOVED PATH_CHANGED',
    '/x/file_3.bin: REMOVED PATH_CHANGED',
  ])
})

test('entries created and removed between the snapshots are not listed', async () => {
  const { texts } = await changesOf(
    () => {},
    (tree) => {
      oneFile(tree)
      tree.remove('/ifs/data/file')
    },
  )
  expect(texts).toEqual([': MODIFIED'])
})

test('a removed hard link leaves the others, and a modified file is listed once or for each', async () => {
  const prepare = (tree: Tree) => {
    oneFile(tree)
    tree.link('/ifs/data/file', '/ifs/data/link')
  }
  const removed = await changesOf(prepare, (tree) => tree.remove('/ifs/data/file'))
  expect(removed.texts).toEqual([': MODIFIED', '/link: MODIFIED', '/file: REMOVED HAS_HARDLINKS'])
  const write = (tree: Tree) => tree.write('/ifs/data/link', 5)
  const both = ['/file: MODIFIED HAS_HARDLINKS', '/link: MODIFIED HAS_HARDLINKS']
  expect((await changesOf(prepare, write)).texts).toEqual(both)
  expect((await changesOf(prepare, write, { switches: { hardLinks: 'once' } })).texts).toEqual(both.slice(0, 1))
})

test('a directory that moves into the root, or out of it, is listed alone or with all below it', async () => {
  const prepare = (tree: Tree) => {
    tree.ensureDirectory('/ifs/inside/in')
    tree.add('/ifs/inside/in/file')
    tree.ensureDirectory('/ifs/outside/out/sub')
    tree.add('/ifs/outside/out/sub/file')
  }
  const change = (tree: Tree) => {
    tree.move('/ifs/inside/in', '/ifs/outside/in')
    tree.move('/ifs/outside/out', '/ifs/inside/out')
    tree.add('/ifs/inside/out/new')
  }
  const root = '/ifs/inside'
  const alone = await changesOf(prepare, change, { root })
  expect(alone.texts).toEqual([': MODIFIED', '/out: ADDED', '/out/new: ADDED', '/in: REMOVED'])
  const all = await changesOf(prepare, change, { root, switches: { movedAcrossRoot: 'subtree' } })
  expect(all.texts.toSorted()).toEqual(
    [...alone.texts, '/out/sub: ADDED', '/out/sub/file: ADDED', '/in/file: REMOVED PARENT_REMOVED'].toSorted(),
  )
})

test('a path may be left unresolved', async () => {
  const { texts } = await changesOf(() => {}, oneFile, { switches: { unresolvedPathEvery: 1 } })
  expect(texts).toContain(': ADDED PATH_LOOKUP_REQ')
})

/** All entries below a directory: what names them, and the facts that a change alters. */
function entriesBelow({ tree }: PowerScaleSimulator, view: Pick<Tree, 'get'>, root: string): Map<string, string> {
  const found = new Map<string, string>()
  const visit = (directory: number) => {
    for (const [name, index] of view.get(directory)?.children?.list() ?? []) {
      const inode = view.get(index)
      found.set(`${directory} ${index} ${name}`, `${inode?.size} ${inode?.mtime} ${inode?.uid}`)
      visit(index)
    }
  }
  visit(tree.at(root).index)
  return found
}

test.for([1, 2, 3, 4, 5, 6, 7, 8])(
  'the changelist of random history %i leads from one snapshot to the other',
  async (seed) => {
    let state = seed * 7_919
    const random = (below: number) => ((state = (state * 48_271) % 2_147_483_647), state % below)
    const simulator = await cluster({ switches: { movedAcrossRoot: 'subtree' } })
    const { tree, snapshots, changelists, clock } = simulator
    fillTree(tree, 300, '/ifs/data/kept')
    const paths = ['/ifs/data', '/ifs/data/kept']
    let compared = 0
    for (let round = 0; round < 12; round++) {
      const path = paths[round % 2] ?? ''
      if (tree.find(path)?.kind === 'file') tree.remove(path)
      tree.ensureDirectory(path)
      const older = snapshots.create({ name: `older ${round}`, path })
      clock.advance(60)
      changeAtRandom(tree, random, 40)
      if (tree.find(path)?.kind !== 'directory') continue
      tree.check()
      const newer = snapshots.create({ name: `newer ${round}`, path })
      const [before, after] = [older, newer].map(({ view }) => entriesBelow(simulator, view, path))
      if (older.view.follow(path.split('/').slice(2))?.index !== tree.at(path).index) continue
      compared++
      changelists.build(older, newer)
      const entries = changelists.find(older.id, newer.id)!.entries.slice()
      const keyOf = ({ parent, index, path }: (typeof entries)[number]) =>
        `${parent} ${index} ${path.split('/').at(-1)}`
      const present = entries.filter(({ path, isRemoved }) => !isRemoved && path !== '')
      const removed = entries.filter(({ isRemoved }) => isRemoved)
      for (const entry of removed) expect(before!.delete(keyOf(entry))).toBe(true)
      for (const entry of present)
        before!.set(keyOf(entry), `${entry.inode.size} ${entry.inode.mtime} ${entry.inode.uid}`)
      expect(before).toEqual(after)
      expect(new Set(entries.map(({ isRemoved, index, ordinal }) => `${isRemoved} ${index} ${ordinal}`)).size).toBe(
        entries.length,
      )
    }
    expect(compared).toBeGreaterThan(5)
  },
)
