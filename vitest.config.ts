import { defineConfig } from 'vitest/config'

// Workers inherit it: each statement of the embedded ClickHouse holds a thread while it runs.
process.env['UV_THREADPOOL_SIZE'] = '16'

const browser = '**/*.browser.test.ts'
const elsewhere = ['**/node_modules/**', '.tools/**', '.data/**', 'client/dist/**']

/** Tests run beside each other in two processes; those with a browser come after them, one at a time. */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    globalSetup: 'deploy/check/testStores.ts',
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...elsewhere, browser],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: [browser],
          exclude: elsewhere,
          maxWorkers: 1,
          testTimeout: 300_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
