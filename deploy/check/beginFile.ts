import { existsSync, readFileSync } from 'node:fs'
import { afterAll, vi } from 'vitest'
import { endFile } from '#server/platform/testing/testFile.ts'
import { type Phase, phases, phaseTimes } from '#server/platform/testing/phases.ts'

/** Milliseconds that a test file took by phase, and of processor time: its own, and that of the processes that it started. */
export type FileTimes = Partial<Record<Phase | 'processor' | 'children', number>>

declare module 'vitest' {
  interface TaskMeta {
    times?: FileTimes
  }
}

/** One process runs many test files, so each begins with what the first one found. */
const first = globalThis as { testEnvironment?: NodeJS.ProcessEnv }
first.testEnvironment ??= { ...process.env }
for (const name of Object.keys(process.env)) if (!(name in first.testEnvironment)) delete process.env[name]
for (const [name, value] of Object.entries(first.testEnvironment))
  if (process.env[name] !== value) process.env[name] = value
vi.useRealTimers()
for (const phase of phases) delete phaseTimes[phase]
const before = { processor: process.cpuUsage(), children: childrenMs() }

// Of all such hooks of a file the first runs last.
// oxlint-disable-next-line no-empty-pattern -- vitest reads the names in the pattern
afterAll(async ({}, suite) => {
  await endFile()
  const { user, system } = process.cpuUsage(before.processor)
  const children = childrenMs() - before.children
  suite.file.meta.times = { ...phaseTimes, processor: (user + system) / 1_000, children }
})

/** Processor time of children that ended, where the system tells it. */
function childrenMs(): number {
  const stat = '/proc/self/stat'
  if (!existsSync(stat)) return 0
  const [, numbers = ''] = readFileSync(stat, 'utf8').split(') ')
  const ticks = numbers.split(' ').slice(13, 15)
  return ticks.reduce((sum, each) => sum + Number(each) * 10, 0)
}
