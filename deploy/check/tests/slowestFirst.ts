import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { readTestTimes } from '../testTimes.ts'

/** Order of the projects. A worker ends when the next file is of another project, so they aren't mixed. */
const projects = ['browser', 'all', 'component', 'long']

/** Starts with the slowest files, so that no core waits for one of them at the end. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const known = readTestTimes()
    const msOf = ({ moduleId }: TestSpecification) => known[relative(process.cwd(), moduleId)] ?? guessedMs(moduleId)
    const rankOf = ({ project }: TestSpecification) => projects.indexOf(project.name)
    return files.toSorted((a, b) => rankOf(a) - rankOf(b) || msOf(b) - msOf(a))
  }
}

/**
 * Estimated milliseconds of a file that never ran here: tests of the whole product take longest, then tests with
 * stores.
 */
function guessedMs(path: string): number {
  if (path.includes('/deploy/local/')) return 40_000
  return /[.](browser|db)[.]test[.]/.test(path) ? 15_000 : 2_000
}
