import { expect, test } from 'vitest'
import { roles } from '#client/ui/theme/roles.ts'
import { everyNode, folderAbove, type MapNode } from '#client/parts/map/mapTree.ts'
import { treeFrom, type EntrySpec } from '#client/parts/map/testing.ts'
import { contrast, readableOn, nameColours } from './paint.ts'
import { type Arc, arcAt, layoutSunburst, minAngle, radiiOf, ringsOf, whole } from './layoutSunburst.ts'
import { layoutTreemap, type Rectangle, rectangleAt, titleHeight } from './layoutTreemap.ts'
import { nextArc, nextRectangle } from './layout.ts'

let seed = 7
const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
/** Nested folders whose sizes differ by a factor of a thousand. */
const wild = (depth: number, name = 'root'): EntrySpec => ({
  name,
  smaller: { count: 3, size: Math.ceil(random() * 400) },
  in: Array.from({ length: 3 + Math.floor(random() * 7) }, (_, n) =>
    depth > 0 && random() < 0.6 ? wild(depth - 1, `d${n}`) : { name: `f${n}`, size: Math.ceil(1_000 ** random() * 10) },
  ),
})
const trees = Array.from({ length: 20 }, () => treeFrom(wild(3)))

const area = ({ width, height }: Rectangle) => width * height
const inFolder = (rectangles: Rectangle[], folder: MapNode) => rectangles.filter(({ node }) => node.folder === folder)

test('an answer becomes a tree whose parts are as large as the whole, with what is smaller among them', () => {
  const tree = treeFrom(
    {
      name: 'films',
      smaller: { count: 18_204, size: 30 },
      in: [
        { name: 'a.mov', size: 50 },
        { name: 'b', in: [{ name: 'c', size: 20 }] },
      ],
    },
    '/mnt/films',
  )
  expect(tree.children.map(({ path, kind, size, count }) => [path, kind, size, count])).toEqual([
    ['/mnt/films/a.mov', 'file', 50, 1],
    ['/mnt/films', 'smaller', 30, 18_204],
    ['/mnt/films/b', 'folder', 20, 1],
  ])
  for (const tree of trees)
    for (const node of [...everyNode(tree)].filter(({ children }) => children.length > 0))
      expect(node.children.reduce((sum, { size }) => sum + size, 0)).toBe(node.size)
  expect(['/', '/a', '/a/b'].map(folderAbove)).toEqual([undefined, '/', '/a'])
})

test('rectangles of a folder share its space by their size, stay inside and do not overlap', () => {
  for (const tree of trees) {
    const all = layoutTreemap(tree, 1_000, 600)
    expect(all).toHaveLength([...everyNode(tree)].length - 1)
    const folders = [{ node: tree, x: 0, y: 0, width: 1_000, height: 600, title: false }, ...all]
    for (const folder of folders.filter(({ node }) => node.children.length > 0)) {
      const inside = inFolder(all, folder.node)
      const room = inside.reduce((sum, box) => sum + area(box), 0)
      for (const box of inside) {
        expect(area(box)).toBeCloseTo((room * box.node.size) / folder.node.size, 6)
        expect(box.x).toBeGreaterThanOrEqual(folder.x - 1e-6)
        expect(box.x + box.width).toBeLessThanOrEqual(folder.x + folder.width + 1e-6)
        expect(box.y).toBeGreaterThanOrEqual(folder.y + (folder.title ? titleHeight : 0) - 1e-6)
        expect(box.y + box.height).toBeLessThanOrEqual(folder.y + folder.height + 1e-6)
      }
      const touches = (a: Rectangle, b: Rectangle) =>
        Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x) > 1e-6 &&
        Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y) > 1e-6
      expect(inside.some((a, n) => inside.slice(n + 1).some((b) => touches(a, b)))).toBe(false)
    }
  }
})

test('a point means the innermost rectangle', () => {
  const all = layoutTreemap(trees[0]!, 1_000, 600)
  for (const box of all.filter(({ node, width, height }) => node.children.length === 0 && width > 1 && height > 1))
    expect(rectangleAt(all, box.x + box.width / 2, box.y + box.height / 2)).toBe(box)
  const titled = all.find(({ title }) => title)!
  expect(rectangleAt(all, titled.x + 5, titled.y + 5)).toBe(titled)
  expect(rectangleAt(all, 1_001, 5)).toBeUndefined()
})

test('arcs are as wide as their share, and those under one degree are one', () => {
  let mergedArcs = 0
  for (const tree of trees) {
    const arcs = layoutSunburst(tree)
    const ofFolder = (node: MapNode) => arcs.filter((arc) => arc.node.folder === node)
    const about = (node: MapNode, start: number, end: number) => {
      const inside = ofFolder(node)
      if (inside.length === 0) return
      expect(inside[0]!.start).toBe(start)
      expect(inside.at(-1)!.end).toBeCloseTo(end, 6)
      inside.forEach((arc, n) => {
        expect((arc.end - arc.start) / (end - start)).toBeCloseTo(arc.node.size / node.size, 6)
        expect(arc.start).toBe(n === 0 ? start : inside[n - 1]!.end)
        expect(arc.node.kind === 'smaller' || arc.end - arc.start >= minAngle).toBe(true)
        about(arc.node, arc.start, arc.end)
      })
      const shown = inside.flatMap(({ node }) => (node.kind === 'smaller' ? [] : [node]))
      const left = node.children.filter((child) => !shown.includes(child))
      const [mergeThin] = inside.filter(({ node }) => node.kind === 'smaller')
      expect(mergeThin?.node.count ?? 0).toBe(left.reduce((sum, { count }) => sum + count, 0))
      mergedArcs += Number(left.length > 1)
    }
    about(tree, 0, whole)
  }
  expect(mergedArcs).toBeGreaterThan(5)
})

test('a sunburst has five rings at most', () => {
  const nested = (depth: number): EntrySpec => ({
    name: 'd',
    in: depth === 0 ? [{ name: 'f', size: 1 }] : [nested(depth - 1)],
  })
  const arcs = layoutSunburst(treeFrom(nested(9)))
  expect(ringsOf(arcs)).toBe(5)
})

const pointOf = ({ start, end, ring }: Arc, rings: number) => {
  const { inner, outer } = radiiOf(ring, rings)
  const [radius, angle] = [(inner + outer) / 2, (start + end) / 2]
  return [Math.sin(angle) * radius, -Math.cos(angle) * radius] as const
}

test('a point means the arc that it is in, or the middle', () => {
  const arcs = layoutSunburst(trees[0]!)
  for (const arc of arcs) expect(arcAt(arcs, ...pointOf(arc, ringsOf(arcs)))).toBe(arc)
  expect(arcAt(arcs, 0.05, 0.1)).toBe('middle')
  expect(arcAt(arcs, 0.9, 0.9)).toBeUndefined()
})

test('arrows lead to the adjacent rectangle, and from any to any other', () => {
  const quarters = treeFrom({ name: 'r', in: ['a', 'b', 'c', 'd'].map((name) => ({ name, size: 25 })) })
  const all = layoutTreemap(quarters, 100, 100)
  const at = (x: number, y: number) => rectangleAt(all, x, y)!
  expect(nextRectangle(all, at(10, 10), 'right')).toBe(at(90, 10))
  expect(nextRectangle(all, at(10, 10), 'down')).toBe(at(10, 90))
  expect(nextRectangle(all, at(90, 90), 'up')).toBe(at(90, 10))
  expect(nextRectangle(all, at(10, 10), 'left')).toBeUndefined()
  for (const tree of trees) {
    const level = layoutTreemap(tree, 900, 500).filter(({ node }) => node.depth === 1)
    const reached = new Set([level[0]!])
    for (const box of reached)
      for (const direction of ['left', 'right', 'up', 'down'] as const) {
        const next = nextRectangle(level, box, direction)
        if (next) reached.add(next)
      }
    expect(reached.size).toBe(level.length)
  }
})

test('arrows go around a ring, outward and inward', () => {
  const arcs = layoutSunburst(
    treeFrom({
      name: 'r',
      in: [
        { name: 'a', in: [{ name: 'x', size: 3 }] },
        { name: 'b', size: 2 },
        { name: 'c', size: 1 },
      ],
    }),
  )
  const named = (name: string) => arcs.find(({ node }) => node.name === name)!
  expect(nextArc(arcs, named('a'), 'right')).toBe(named('b'))
  expect(nextArc(arcs, named('a'), 'left')).toBe(named('c'))
  expect(nextArc(arcs, named('c'), 'right')).toBe(named('a'))
  expect(nextArc(arcs, named('a'), 'up')).toBe(named('x'))
  expect(nextArc(arcs, named('x'), 'down')).toBe(named('a'))
  expect(nextArc(arcs, named('x'), 'up')).toBeUndefined()
})

test('names on any colour of a map can be read', () => {
  const colours = [roles.light, roles.dark].flatMap((scheme) => Object.entries(scheme))
  const drawn = colours.filter(([role]) => /^(age|category|other|control)/.test(role))
  expect(drawn.length).toBeGreaterThan(20)
  expect(drawn.filter(([, colour]) => contrast(colour, readableOn(colour, nameColours)) < 4.5)).toEqual([])
})
