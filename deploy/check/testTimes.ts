import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import type { FileTimes } from './tests/beginFile.ts'

const maxShown = 10

const columns = ['product', 'engine', 'nats', 'scan', 'browser', 'processor'] as const

type Row = { file: string; project: string; total: number; times: FileTimes }

/**
 * Prints the slowest test files, with `TEST_TIMES=1` all of them: their total time, the phases that tests wait for, and
 * the processor time of the file and of the processes that it started.
 */
export class TestTimes implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules.map(rowOf).sort((a, b) => b.total - a.total)
    if (rows.length === 0) return
    const isWhole = process.env['TEST_TIMES'] === '1'
    const few = isWhole ? rows : rows.slice(0, maxShown)
    console.log(`\n${isWhole ? 'All' : `The ${few.length} slowest of`} ${rows.length} test files, in seconds`)
    console.log(table(few))
    console.log(`Total of all files: ${seconds(rows.reduce((sum, { total }) => sum + total, 0))} s`)
    keepTestTimes(rows)
  }
}

function rowOf(module: TestModule): Row {
  const { duration, collectDuration, setupDuration } = module.diagnostic()
  return {
    file: relative(process.cwd(), module.moduleId),
    project: module.project.name,
    total: duration + collectDuration + setupDuration,
    times: module.meta().times ?? {},
  }
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(({ file, total, times }) => [
    seconds(total),
    ...columns.map((column) => (times[column] === undefined ? '' : seconds(times[column]))),
    file,
  ])
  return [['total', ...columns, ''], ...lines]
    .map((cells) => cells.map((cell, i) => (i < columns.length + 1 ? cell.padStart(10) : `  ${cell}`)).join(''))
    .join('\n')
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1)

const kept = join(import.meta.dirname, '../../node_modules/.cache/dataintell/test-times.json')

/** Milliseconds of the last run of each test file on this machine. */
export function readTestTimes(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(kept, 'utf8')) as Record<string, number>
  } catch {
    return {}
  }
}

function keepTestTimes(rows: readonly Row[]): void {
  const known = readTestTimes()
  for (const { file, project, total } of rows) if (project !== 'long') known[file] = Math.round(total)
  mkdirSync(dirname(kept), { recursive: true })
  writeFileSync(kept, JSON.stringify(known))
}
