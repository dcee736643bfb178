import { expect, test } from 'vitest'
import type { ImportGraph } from './imports.ts'
import { nearestTests } from './nearestTests.ts'

const graph: ImportGraph = new Map([
  ['events/days.ts', []],
  ['events/days.test.ts', ['events/days.ts']],
  ['server/dates.ts', ['events/days.ts']],
  ['server/dates.db.test.ts', ['server/dates.ts']],
  ['server/app.ts', ['server/dates.ts']],
  ['server/app.db.test.ts', ['server/app.ts']],
  ['client/map/Map.tsx', []],
  ['client/map/map.browser.test.ts', []],
  ['client/list/list.browser.test.ts', []],
])
const choose = (changed: string[], known: Record<string, number> = {}, budgetMs = 100_000) =>
  nearestTests(graph, changed, known, budgetMs)

test('tests of a changed file run first, then those that reach it through others', () => {
  expect(choose(['events/days.ts']).chosen).toEqual([
    'events/days.test.ts',
    'server/dates.db.test.ts',
    'server/app.db.test.ts',
  ])
  expect(choose(['server/app.ts'])).toEqual({ chosen: ['server/app.db.test.ts'], left: [] })
})

test('a browser test is chosen for the files next to it', () => {
  expect(choose(['client/map/Map.tsx']).chosen).toEqual(['client/map/map.browser.test.ts'])
})

test('a test that does not fit into the time is listed, and a shorter one that is farther away takes its place', () => {
  const known = { 'events/days.test.ts': 100, 'server/dates.db.test.ts': 9_000, 'server/app.db.test.ts': 800 }
  expect(choose(['events/days.ts'], known, 1_000)).toEqual({
    chosen: ['events/days.test.ts', 'server/app.db.test.ts'],
    left: ['server/dates.db.test.ts'],
  })
})

test('a test that was changed runs however long it takes', () => {
  expect(choose(['server/dates.db.test.ts'], { 'server/dates.db.test.ts': 90_000 }, 1_000).chosen).toEqual([
    'server/dates.db.test.ts',
  ])
})
