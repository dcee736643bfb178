import { buildClient } from '../local/buildClient.ts'
import { installTestTools, type TestProject } from '../setup/testTools.ts'
import { checkFolders } from './folders.ts'
import { checkHandlers } from './handlers.ts'
import { checkImports } from './imports.ts'
import { run, runSteps, type Step } from './steps.ts'
import { runTests } from './tests/runTests.ts'

/**
 * `npm test`: format, lint, types, import direction, handlers, the build of the client, then all tests. `--times` prints the time of
 * every test file; other words go to vitest. `npm run test:long` (`--long`) runs the wide versions of tests alone.
 */
const { long, times, words } = readWords(process.argv.slice(2))
/**
 * Limits of processor time for a test file, by project. A file over its limit tests less, or moves to `npm run test:long`. The aim is 15 s for
 * all of them.
 */
const maxProcessorMs = { all: 45_000, component: 20_000, browser: 80_000 }
const environment = times ? { TEST_TIMES: '1' } : {}

// Before the tests, of which several start products at once that all serve this one.
const client: Step = { name: 'client', work: () => buildClient(console.log).then(() => true) }
const tools = (...projects: TestProject[]): Step => ({
  name: 'test tools',
  work: async () => installTestTools(projects),
})

await runSteps(
  long
    ? [
        client,
        tools('long'),
        {
          name: 'long tests',
          work: (counts) =>
            runTests({ projects: ['long'], words, environment: { ...environment, LOOK: 'all' } }, counts),
        },
      ]
    : [
        { name: 'format', work: () => run('oxfmt', ['--check', '.']) },
        { name: 'lint', work: () => run('oxlint', ['--deny-warnings']) },
        { name: 'types', work: () => run('tsc', ['--noEmit']) },
        { name: 'import direction', work: checkImports },
        { name: 'handlers', work: checkHandlers },
        { name: 'folders', work: checkFolders },
        client,
        tools('all', 'browser'),
        {
          name: 'tests',
          work: (counts) =>
            runTests({ projects: ['all', 'component', 'browser'], words, environment, maxProcessorMs }, counts),
        },
      ],
)

function readWords(all: readonly string[]) {
  const ours = ['--long', '--times']
  return {
    long: all.includes('--long'),
    times: all.includes('--times'),
    words: all.filter((word) => !ours.includes(word)),
  }
}
