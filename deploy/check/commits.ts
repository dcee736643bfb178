import { execFileSync } from 'node:child_process'
import { subjectFault } from './commitSubject.js'

const ruleFile = 'deploy/check/commitSubject.js'

/**
 * Checks the subjects of all commits since the commit that added the rule, on its own branch. True if all are correct, also without
 * history. The git hook `hooks/commit-msg` checks them earlier.
 */
export async function checkCommits(): Promise<boolean> {
  const [added] = lines('log', '--diff-filter=A', '--format=%H', '--', ruleFile).slice(-1)
  if (added === undefined) return true
  const commits = lines('log', '--no-merges', '--ancestry-path', '--format=%h %s', `${added}..HEAD`)
  const faults = commits.flatMap((line) => {
    const [commit = '', ...words] = line.split(' ')
    const fault = subjectFault(words.join(' '))
    return fault === undefined ? [] : [`${commit}: the subject ${fault}: ${words.join(' ')}`]
  })
  for (const fault of faults) console.error(fault)
  return faults.length === 0
}

/** Output of git by line; none if there is no history. */
function lines(...args: string[]): string[] {
  try {
    const output = execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return output.split('\n').filter((line) => line !== '')
  } catch {
    return []
  }
}
