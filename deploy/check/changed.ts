import { changedFiles, nearestTestsOf } from './changedFiles.ts'
import { quickSteps, run, runSteps, type Step } from './steps.ts'

/**
 * `npm run check [-- SINCE]`: checks files changed since a commit, or since the branch left `main`, in under a minute:
 * format and lint of the changed files, all types, import direction, unused code, handlers, and the nearest tests. `npm test` runs
 * everything.
 */
const changed = changedFiles(process.argv[2])
const code = changed.filter((file) => /[.](tsx?|js|cjs)$/.test(file))
const { imports, nearest } = nearestTestsOf(changed)

const steps: Step[] = [
  { name: 'format', work: () => run('oxfmt', ['--check', '--no-error-on-unmatched-pattern', ...changed]) },
  ...(code.length > 0 ? [{ name: 'lint', work: () => run('oxlint', ['--deny-warnings', ...code]) }] : []),
  ...quickSteps(imports),
  nearest,
]

console.log(`${changed.length} files changed`)
if (changed.length > 0) await runSteps(steps)
