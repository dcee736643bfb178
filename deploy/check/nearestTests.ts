import { dirname } from 'node:path'
import type { ImportGraph } from './imports.ts'

const isTest = (file: string) => /[.]test[.]tsx?$/.test(file)
const isBrowserTest = (file: string) => /[.]browser[.]test[.]ts$/.test(file)

/** Estimated milliseconds of a test file without a known time. */
const unknownMs = 3_000

/**
 * Tests that changed files may break, nearest first: changed tests, then tests that import changed files, directly and
 * indirectly. A browser test counts as importing the files next to it, because it doesn't import the screen. Tests are
 * chosen until the budget is used up, by their last known times; changed tests are always included.
 */
export function nearestTests(
  graph: ImportGraph,
  changed: readonly string[],
  knownMs: Readonly<Record<string, number>>,
  budgetMs: number,
): { chosen: string[]; left: string[] } {
  const distances = distancesFrom(importersOf(graph), changed)
  const timeOf = (file: string) => knownMs[file] ?? unknownMs
  const related = [...distances.keys()]
    .filter(isTest)
    .sort((a, b) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0) || timeOf(a) - timeOf(b))
  let leftMs = budgetMs
  const fits = (file: string) => {
    if (distances.get(file) !== 0 && timeOf(file) > leftMs) return false
    leftMs -= timeOf(file)
    return true
  }
  const chosen = related.filter(fits)
  return { chosen, left: related.filter((file) => !chosen.includes(file)) }
}

/** Importers of each file. A browser test counts as an importer of all files next to it. */
function importersOf(graph: ImportGraph): ImportGraph {
  const importers: ImportGraph = new Map()
  const add = (file: string, importer: string) => importers.set(file, [...(importers.get(file) ?? []), importer])
  const beside = Map.groupBy([...graph.keys()], (file) => dirname(file))
  for (const [file, imported] of graph) {
    for (const each of imported) add(each, file)
    if (!isBrowserTest(file)) continue
    for (const neighbour of beside.get(dirname(file)) ?? []) if (!isTest(neighbour)) add(neighbour, file)
  }
  return importers
}

/** Number of imports between each file and the nearest of the first ones. */
function distancesFrom(importers: ImportGraph, first: readonly string[]): Map<string, number> {
  const distances = new Map(first.map((file) => [file, 0]))
  // Iterating over a map includes entries that are added meanwhile.
  for (const [file, distance] of distances)
    for (const importer of importers.get(file) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1)
  return distances
}
