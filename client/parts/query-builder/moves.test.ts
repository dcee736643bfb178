import { expect, test } from 'vitest'
import { maxGroupDepth, type Group, newCondition } from '#events/search/string-format/conditions.ts'
import { gapAt, movedBy, movedTo, placeOf, withoutItem } from './moves.ts'

const condition = (id: number) => ({ ...newCondition(), id, value: `v${id}` })
const group = (id: number, conditions: number[], groups: Group[] = []): Group => ({
  id,
  operator: 'AND',
  conditions: conditions.map(condition),
  groups,
})
/** A group as text; a blank condition is `-`. */
const shapeOf = ({ conditions, groups }: Group): string =>
  `(${[...conditions.map(({ value }) => value.slice(1) || '-'), ...groups.map(shapeOf)].join(' ')})`
const moved = (root: Group, id: number, step: -1 | 1) => {
  const next = movedBy(root, id, step)
  return next && shapeOf(next)
}
const root = group(100, [1, 2], [group(101, [3], [group(102, [4])]), group(103, [5])])

test('the last filter of a group leaves a blank one behind', () => {
  expect(shapeOf(withoutItem(root, 1))).toBe('(2 (3 (4)) (5))')
  expect(shapeOf(withoutItem(root, 5))).toBe('(1 2 (3 (4)) (-))')
  expect(shapeOf(withoutItem(group(1, [2]), 2))).toBe('(-)')
  expect(shapeOf(withoutItem(group(1, [], [group(2, [3])]), 2))).toBe('(-)')
})

test('a condition goes down through all groups, as one sees them, and back to where it was', () => {
  const shapes = [shapeOf(root)]
  let at = root
  for (let next = movedBy(at, 1, 1); next; next = movedBy(at, 1, 1)) {
    at = next
    shapes.push(shapeOf(at))
  }
  expect(shapes).toEqual([
    '(1 2 (3 (4)) (5))',
    '(2 1 (3 (4)) (5))',
    '(2 (1 3 (4)) (5))',
    '(2 (3 1 (4)) (5))',
    '(2 (3 (1 4)) (5))',
    '(2 (3 (4 1)) (5))',
    '(2 (3 (4)) (1 5))',
    '(2 (3 (4)) (5 1))',
  ])
  const back: string[] = [shapeOf(at)]
  for (let next = movedBy(at, 1, -1); next; next = movedBy(at, 1, -1)) {
    at = next
    back.push(shapeOf(at))
  }
  expect(back).toEqual(shapes.toReversed())
})

test('the last condition of a group leaves a blank one, whose place it takes again', () => {
  expect(moved(root, 5, -1)).toBe('(1 2 (3 (4 5)) (-))')
  expect(moved(movedBy(root, 5, -1) ?? root, 5, 1)).toBe('(1 2 (3 (4)) (5))')
})

test('a group goes past and into others, but not into itself and not too deep', () => {
  expect(moved(root, 103, -1)).toBe('(1 2 (3 (4) (5)))')
  expect(moved(root, 101, 1)).toBe('(1 2 (5 (3 (4))))')
  expect(moved(root, 101, -1)).toBeUndefined()
  expect(moved(root, 100, 1)).toBeUndefined()
  let deep = group(1, [1])
  for (let level = 2; level < maxGroupDepth; level++) deep = group(level * 10, [level], [deep])
  const whole = group(200, [], [deep, group(201, [9])])
  expect(moved(whole, deep.id, 1)).toBe(shapeOf(group(200, [], [group(201, [9]), deep])))
})

test('a dropped item lands in the gap under it', () => {
  const dropped = (id: number, groupId: number, part: 'head' | 'foot' | number, isLower = false) => {
    const gap = gapAt(root, id, { groupId, part, isLower })
    const next = gap && movedTo(root, id, gap)
    return next && shapeOf(next)
  }
  expect(dropped(1, 100, 1, true)).toBe('(2 1 (3 (4)) (5))')
  expect(dropped(1, 100, 1)).toBeUndefined()
  expect(dropped(1, 101, 'head')).toBe('(2 (1 3 (4)) (5))')
  expect(dropped(1, 102, 'foot')).toBe('(2 (3 (4 1)) (5))')
  expect(dropped(5, 102, 0, true)).toBe('(1 2 (3 (4 5)) (-))')
  expect(dropped(103, 101, 'head')).toBe('(1 2 (5) (3 (4)))')
  expect(dropped(103, 102, 'foot')).toBe('(1 2 (3 (4 (5))))')
  expect(dropped(103, 100, 0)).toBe('(1 2 (5) (3 (4)))')
  expect(dropped(101, 102, 'foot')).toBeUndefined()
})

test('a place says its level, and which of how many it is', () => {
  expect(placeOf(root, 4)).toMatchObject({ level: 3, index: 0, count: 1 })
  expect(placeOf(root, 103)).toMatchObject({ level: 1, index: 1, count: 2 })
  expect(placeOf(root, 999)).toBeUndefined()
})
