import { expect, test } from 'vitest'
import { type PartOfFolder, partsOfFolder } from '#events/folders/browse.ts'
import {
  addPage,
  childrenOf,
  closeAt,
  largestChange,
  levelAt,
  newTree,
  openAt,
  readRow,
  replaceList,
  rowOf,
  ariaPosition,
  type Tree,
  type TreeEntry,
} from './treeModel.ts'

const entry = (path: string, isDirectory: boolean) =>
  ({ path, name: path.slice(path.lastIndexOf('/') + 1), isDirectory }) as TreeEntry
const page = (entries: TreeEntry[], total = entries.length) => ({
  entries,
  total,
  next: entries.length < total ? 'on' : null,
})
const folders = (...paths: string[]) => paths.map((path) => entry(path, true))
const files = (...paths: string[]) => paths.map((path) => entry(path, false))

/** Rows with their depth: the path of an entry, or the folder and part of a list's last row. */
const drawn = (tree: Tree) =>
  Array.from({ length: tree.rows.length }, (_, index) => {
    const { node, is } = readRow(tree, index)
    const path = tree.entries[node]?.path ?? ''
    const text =
      is === 'entry' ? path : is === 'empty' ? `${path} empty` : `${path} ${is} ${childrenOf(tree, node, is).state}`
    return `${levelAt(tree, index)} ${text}`
  })

test('a folder shows its folders, then its files, and what is still on its way', () => {
  const tree = newTree()
  expect(drawn(tree)).toEqual(['1  folders loading', '1  files loading'])
  addPage(tree, 0, 'folders', page(folders('/b', '/a'), 3), 1)
  expect(drawn(tree)).toEqual(['1 /b', '1 /a', '1  folders more', '1  files loading'])
  addPage(tree, 0, 'folders', page(folders('/c')), 1)
  addPage(tree, 0, 'files', page(files('/1')), 1)
  expect(drawn(tree)).toEqual(['1 /b', '1 /a', '1 /c', '1 /1'])
  expect([ariaPosition(tree, 2), ariaPosition(tree, 4)]).toEqual([
    { setSize: 2, position: 2 },
    { setSize: 2, position: 2 },
  ])
})

test('a folder without anything says so, and closes', () => {
  const tree = newTree()
  addPage(tree, 0, 'folders', page(folders('/a')), 1)
  addPage(tree, 0, 'files', page([]), 1)
  openAt(tree, 0)
  for (const part of partsOfFolder) addPage(tree, 1, part, page([]), 1)
  expect(drawn(tree)).toEqual(['1 /a', '2 /a empty'])
  closeAt(tree, 0)
  expect(drawn(tree)).toEqual(['1 /a'])
})

test('a list that is read again keeps what is open, wherever its entries went', () => {
  const tree = newTree()
  addPage(tree, 0, 'folders', page(folders('/a', '/b')), 1)
  addPage(tree, 0, 'files', page([]), 1)
  openAt(tree, 1)
  addPage(tree, 2, 'folders', page([]), 1)
  addPage(tree, 2, 'files', page(files('/b/1')), 1)
  replaceList(tree, 0, 'folders', page(folders('/b', '/c')), 2)
  expect(drawn(tree)).toEqual(['1 /b', '2 /b/1', '1 /c'])
  expect(ariaPosition(tree, 2)).toEqual({ setSize: 2, position: 1 })
  expect(rowOf(tree, 1)).toBe(-1)
})

/** The same tree as a simple implementation. */
type Plain = {
  path: string
  open: boolean
  below: Record<PartOfFolder, Plain[]>
  total: Record<PartOfFolder, number | undefined>
}
const plain = (path: string): Plain => ({
  path,
  open: path === '',
  below: { folders: [], files: [] },
  total: { folders: undefined, files: undefined },
})

function plainRows(folder: Plain, level: number): string[] {
  const rows = partsOfFolder.flatMap((part) => {
    const entries = folder.below[part].flatMap((child) => [
      `${level} ${child.path}`,
      ...(child.open ? plainRows(child, level + 1) : []),
    ])
    const total = folder.total[part]
    if (total === undefined) return [...entries, `${level} ${folder.path} ${part} loading`]
    return total > folder.below[part].length ? [...entries, `${level} ${folder.path} ${part} more`] : entries
  })
  return rows.length > 0 ? rows : [`${level} ${folder.path} empty`]
}

test('the rows equal those of a plain tree, after any opening, closing and reading', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = randomBelow(seed)
    const tree = newTree()
    const plains = [plain('')]
    const numbers = new Map<Plain, number>([[plains[0]!, 0]])
    const put = (folder: Plain, part: PartOfFolder, names: string[], total: number, isAgain: boolean) => {
      const node = numbers.get(folder)!
      const kept = new Map(folder.below[part].map((child) => [child.path, child]))
      const children = names.map((name) => kept.get(name) ?? plain(name))
      folder.below[part] = isAgain ? children : [...folder.below[part], ...children]
      folder.total[part] = total
      const given = page(
        names.map((name) => entry(name, part === 'folders')),
        total,
      )
      const next = folder.below[part].length < total ? 'on' : null
      if (isAgain) replaceList(tree, node, part, { ...given, next }, 2)
      else addPage(tree, node, part, { ...given, next }, 1)
      childrenOf(tree, node, part).nodes.forEach((child, place) => numbers.set(folder.below[part][place]!, child))
      if (part === 'folders') plains.push(...children.filter((child) => !plains.includes(child)))
    }
    const reachable = () => plains.filter((folder) => rowOf(tree, numbers.get(folder)!) >= 0)
    for (let step = 0; step < 120; step++) {
      const part = partsOfFolder[random(2)]!
      const [folder] = [...reachable(), plains[0]!].slice(random(reachable().length + 1))
      const of = folder!
      const row = rowOf(tree, numbers.get(of)!)
      const action = random(4)
      if (action < 2 && row >= 0) {
        of.open = action === 0
        if (of.open) openAt(tree, row)
        else closeAt(tree, row)
      } else if (action === 2 && of.below[part].length >= (of.total[part] ?? 1) && of.total[part] !== undefined) {
        const kept = of.below[part].map(({ path }) => path).filter(() => random(3) > 0)
        put(of, part, [`${of.path}/${part}${step}`, ...kept.toReversed()], kept.length + 1, true)
      } else if (of.total[part] === undefined || of.below[part].length < of.total[part]) {
        const names = Array.from({ length: random(4) }, (_, index) => `${of.path}/${part}${step}.${index}`)
        put(of, part, names, of.below[part].length + names.length + (names.length > 2 ? 2 : 0), false)
      }
      expect(drawn(tree)).toEqual(plainRows(plains[0]!, 1))
    }
  }
})

test('opening and closing among many rows moves rows, and reads none of the others', () => {
  const tree = newTree()
  const many = Array.from({ length: 300_000 }, (_, index) => entry(`/${index}`, true))
  addPage(tree, 0, 'folders', page(many), 1)
  addPage(tree, 0, 'files', page([]), 1)
  const read = tree.entries
  let reads = 0
  tree.entries = new Proxy(read, { get: (target, key) => (reads++, Reflect.get(target, key)) })
  openAt(tree, 150_000)
  closeAt(tree, 150_000)
  expect(tree.rows.length).toBe(300_000)
  expect(reads).toBeLessThan(10)
})

/** Deterministic random numbers for a seed. */
function randomBelow(seed: number) {
  let state = seed * 2_654_435_761
  return (end: number) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0
    return (state >>> 8) % end
  }
}

test('the largest change of a folder includes its folders and files, up or down', () => {
  const notify = (path: string, isDirectory: boolean, delta: number | null) => ({ ...entry(path, isDirectory), delta })
  const tree = newTree()
  addPage(tree, 0, 'folders', page([notify('/a', true, 5), notify('/b', true, null)], 3), 1)
  expect(largestChange(tree, 1)).toBe(5)
  addPage(tree, 0, 'folders', page([notify('/c', true, 2)]), 1)
  addPage(tree, 0, 'files', page([notify('/1', false, -9)]), 1)
  expect(largestChange(tree, 1)).toBe(9)
  replaceList(tree, 0, 'files', page([notify('/1', false, -1)]), 2)
  expect(largestChange(tree, 1)).toBe(5)
})
