import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { ReportWriter } from './deploy/check/tests/report.ts'
import { SlowestFirst } from './deploy/check/tests/slowestFirst.ts'
import { TestTimes } from './deploy/check/testTimes.ts'

// Inherited by workers. Each statement of the embedded ClickHouse uses a thread while it runs.
process.env['UV_THREADPOOL_SIZE'] = '16'
// Also inherited by the products that tests start, so that they don't all compile the same files.
process.env['NODE_COMPILE_CACHE'] ??= resolve('node_modules/.cache/dataintell/compiled')

const browser = '**/*.browser.test.ts'
const component = '**/*.component.test.tsx'
const longAlone = '**/*.long.test.ts'
const elsewhere = ['**/node_modules/**', '.tools/**', '.data/**', 'client/dist/**']
const report = process.env['TEST_REPORT']

/** Provides real stores, and a fresh environment for each file. */
const beginFile = resolve('deploy/check/tests/beginFile.ts')
const stores = { setupFiles: beginFile, globalSetup: 'deploy/check/testStores.ts' }

/** A low cost of password hashes, because tests sign in hundreds of times. */
const environment = { TEST_PASSWORD_COST: '1024' }

/** Test files for `npm run test:long`: those with a variable number of cases, and those that only run there. */
const wide = globSync('{agent,client,deploy,events,server}/**/*.test.ts').filter(
  (file) => file.endsWith('.long.test.ts') || readFileSync(file, 'utf8').includes("testing/cases.ts'"),
)

/**
 * Each worker process runs one file after another. Workers wait for stores and browsers, so there is one more than the machine has
 * cores. All projects share the workers: while the last browser files run, other workers continue with `all`. `long` runs only in
 * `npm run test:long`, and checks screens in all widths in both color schemes.
 */
export default defineConfig({
  test: {
    pool: 'forks',
    isolate: false,
    // Collects short-lived objects less often.
    execArgv: ['--max-semi-space-size=32'],
    env: environment,
    maxWorkers: availableParallelism() + 1,
    // Prints one line per file.
    slowTestThreshold: 3_600_000,
    sequence: { sequencer: SlowestFirst, groupOrder: 0 },
    // A missing recorded answer fails here as it does on a build server; `-u` writes it.
    update: 'none',
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', new TestTimes(), ...(report ? [new ReportWriter(report)] : [])],
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          ...stores,
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...elsewhere, browser, component, longAlone],
        },
      },
      {
        extends: './vite.config.ts',
        // React's production build renders twice as fast.
        oxc: { jsx: { development: false } },
        test: {
          env: { NODE_ENV: 'production' },
          name: 'component',
          include: [component],
          environment: 'happy-dom',
          environmentOptions: { happyDOM: { url: 'http://127.0.0.1:8080', width: 1440, height: 900 } },
          alias: [{ find: /^valtio$/, replacement: resolve('client/testing/resettableStates.ts') }],
          setupFiles: [beginFile, resolve('client/testing/componentSetup.ts')],
          pool: 'forks',
          execArgv: ['--max-semi-space-size=32'],
          isolate: false,
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 0 },
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          ...stores,
          include: [browser],
          exclude: elsewhere,
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          ...stores,
          include: [...wide, browser],
          env: { ...environment, LONG_TESTS: '1', LOOK: 'all' },
          testTimeout: 3_600_000,
          hookTimeout: 3_600_000,
        },
      },
    ],
  },
})
