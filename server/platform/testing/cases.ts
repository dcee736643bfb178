import { beforeEach } from 'vitest'

/** True in `npm run test:long`. */
export const isLong = process.env['LONG_TESTS'] === '1'

/** Number of test cases: a few in `npm test`, about ten times as many in `npm run test:long`. */
export const cases = (few: number, many: number): number => (isLong ? many : few)

/** Seed of the random cases of a test file. `SEED` overrides it; a failing test prints it. */
export function testSeed(fixed: number): number {
  const seed = Number(process.env['SEED'] ?? fixed)
  beforeEach(({ onTestFailed, task }) => {
    onTestFailed(() => console.error(`“${task.name}” failed with SEED=${seed}`))
  })
  return seed
}
