import { afterAll, vi } from 'vitest'
import { processorMsOfTests } from '#server/platform/testing/processorTime.ts'
import { endFile } from '#server/platform/testing/testFile.ts'
import { type Phase, phases, phaseTimes } from '#server/platform/testing/phases.ts'

/** Milliseconds of a test file by phase, and its processor time including the processes that it started. */
export type FileTimes = Partial<Record<Phase | 'processor', number>>

declare module 'vitest' {
  interface TaskMeta {
    times?: FileTimes
  }
}

/** One process runs many test files, so each file starts with the initial environment. */
const first = globalThis as { testEnvironment?: NodeJS.ProcessEnv }
first.testEnvironment ??= { ...process.env }
for (const name of Object.keys(process.env)) if (!(name in first.testEnvironment)) delete process.env[name]
for (const [name, value] of Object.entries(first.testEnvironment))
  if (process.env[name] !== value) process.env[name] = value
vi.useRealTimers()
for (const phase of phases) delete phaseTimes[phase]
const before = processorMsOfTests()

// The first such hook of a file runs last.
// oxlint-disable-next-line no-empty-pattern -- vitest reads the names in the pattern
afterAll(async ({}, suite) => {
  await endFile()
  suite.file.meta.times = { ...phaseTimes, processor: processorMsOfTests() - before }
})
