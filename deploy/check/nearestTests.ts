import { dirname } from 'node:path'
import type { ImportGraph } from './imports.ts'

const isTest = (file: string) => /[.]test[.]tsx?$/.test(file)
const isBrowserTest = (file: string) => /[.]browser[.]test[.]ts$/.test(file)

/** Milliseconds that a test file is taken to need that was not run before. */
const unknownMs = 3_000

/**
 * The test files that changed files may break, nearest first: those that changed themselves, then what imports them, directly and over
 * others. A browser test is as near as the files beside it, for it imports nothing of the screen. As many are chosen as fit into the
 * budget by what they took before, at least those that changed.
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

/** Who imports a file; a browser test imports all that stands beside it. */
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

/** Over how many imports each file is reached from the first ones. */
function distancesFrom(importers: ImportGraph, first: readonly string[]): Map<string, number> {
  const distances = new Map(first.map((file) => [file, 0]))
  // A map goes on with what is added while it is gone through.
  for (const [file, distance] of distances)
    for (const importer of importers.get(file) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1)
  return distances
}
