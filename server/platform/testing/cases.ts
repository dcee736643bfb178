import { beforeEach } from 'vitest'

/** Whether this is a run of `npm run test:long`. */
export const isLong = process.env['LONG_TESTS'] === '1'

/** How many cases a test tries: few and well chosen in `npm test`, many in `npm run test:long`. */
export const cases = (usual: number, long: number): number => (isLong ? long : usual)

/** The seed of a test file's random cases, the usual one unless `SEED` names another. A test that fails tells it. */
export function testSeed(usual: number): number {
  const seed = Number(process.env['SEED'] ?? usual)
  beforeEach(({ onTestFailed, task }) => {
    onTestFailed(() => console.error(`“${task.name}” failed with SEED=${seed}`))
  })
  return seed
}
