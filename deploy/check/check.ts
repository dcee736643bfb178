import { buildDerived } from '../local/buildDerived.ts'
import { buildClient } from '../local/buildClient.ts'
import { installTestTools, type TestProject } from '../setup/testTools.ts'
import { hostileRuns } from '../tools/hostile/runs.ts'
import { filesInProgress, nearestTestsOf } from './changedFiles.ts'
import { quickSteps, run, runSteps, type Step } from './steps.ts'
import { runTests } from './tests/runTests.ts'

/**
 * `npm test`: format, lint, types, import direction, unused code, handlers, the build of the client, then all tests; those nearest to
 * changed files run first, once more. `--times`
 * prints the time of every test file; other arguments are passed to vitest. `npm run test:long` (`--long`) only runs
 * the long versions of tests, those of the server on a cluster of ClickHouse, then a few hostile inputs, faults and upgrades; `npm run test:long -- fuzz`, or another kind of
 * hostile run, only runs that, with its own options.
 */
const { long, times, args } = parseArguments(process.argv.slice(2))
/**
 * Maximum processor time of a test file, by project. A file over its limit must test less, or move to `npm run
 * test:long`. The target is 15 s for all of them.
 */
const maxProcessorMs = { all: 70_000, component: 20_000, browser: 90_000 }
const environment = times ? { TEST_TIMES: '1' } : {}

// Before the tests, because several of them start products that all serve this build.
const client: Step = {
  name: 'client',
  work: async () => {
    await buildClient(console.log)
    buildDerived()
    return true
  },
}
const tools = (...projects: TestProject[]): Step => ({
  name: 'test tools',
  work: async () => installTestTools(projects),
})

const hostile = (...args: string[]): Step => ({
  name: `hostile run: ${args[0]}`,
  work: () => run(process.execPath, ['deploy/tools/hostile/hostile.ts', ...args]),
})

const longTests: Step = {
  name: 'long tests',
  work: (counts) => runTests({ projects: ['long'], args, environment: { ...environment, LOOK: 'all' } }, counts),
}

/** Every statement once on a cluster of ClickHouse. */
const clusterTests: Step = {
  name: 'tests on a cluster',
  work: (counts) =>
    runTests({ projects: ['all'], args: ['server'], environment: { ...environment, TEST_CLUSTER: '1' } }, counts),
}

/** With the name of a kind of hostile run, only that. Other arguments select tests, which hostile runs are not. */
function longSteps(): Step[] {
  if (Object.hasOwn(hostileRuns, args[0] ?? '')) return [client, hostile(...args)]
  const all = args.length === 0 ? Object.keys(hostileRuns).map((kind) => hostile(kind)) : []
  return [client, tools('long'), longTests, ...(args.length === 0 ? [clusterTests] : []), ...all]
}

/** The tests that a change may break run first: after a minute its author knows. */
const changed = filesInProgress()
const { imports, nearest } = nearestTestsOf(changed)

const steps: Step[] = [
  { name: 'format', work: () => run('oxfmt', ['--check', '.']) },
  { name: 'lint', work: () => run('oxlint', ['--deny-warnings']) },
  ...quickSteps(imports),
  client,
  tools('all', 'browser'),
  ...(changed.length > 0 && args.length === 0 ? [nearest] : []),
  {
    name: 'tests',
    work: (counts) =>
      runTests({ projects: ['all', 'component', 'browser'], args, environment, maxProcessorMs }, counts),
  },
]
await runSteps(long ? longSteps() : steps)

function parseArguments(all: readonly string[]) {
  const ours = ['--long', '--times']
  return {
    long: all.includes('--long'),
    times: all.includes('--times'),
    args: all.filter((argument) => !ours.includes(argument)),
  }
}
