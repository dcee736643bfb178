import type { HostileOptions } from './options.ts'

/** Collects what went wrong in a run. */
export type Findings = {
  add(what: string, detail: string): void
  count(): number
  /** One line about the run, and one per kind of finding. */
  summary(run: string): string
}

/** Runs one kind of test in a folder of its own. What it started is ended by the functions given to `atEnd`, last first. */
export type HostileRun = (
  options: HostileOptions,
  run: { folder: string; findings: Findings; atEnd(end: () => Promise<unknown> | void): void },
) => Promise<void>

/** Findings of one kind that are printed in full. */
const maxPrinted = 20

export function newFindings(print: (line: string) => void = console.log): Findings {
  const counts = new Map<string, number>()
  const count = () => [...counts.values()].reduce((sum, found) => sum + found, 0)
  return {
    add(what, detail) {
      const known = (counts.get(what) ?? 0) + 1
      counts.set(what, known)
      if (known <= maxPrinted) print(`FINDING ${what}\n  ${detail.replaceAll('\n', '\n  ')}`)
    },
    count,
    summary(run) {
      const lines = [...counts].map(([what, found]) => `  ${found} × ${what}`)
      return [`${run}: ${count() === 0 ? 'no findings' : `${count()} findings`}`, ...lines].join('\n')
    },
  }
}
