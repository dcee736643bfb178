import { randomInt } from 'node:crypto'
import { atEnd, scratchFolder } from '../kit/ends.ts'
import { defineTool, type Tool } from '../kit/tool.ts'

/** Collects what went wrong in a run. */
export type Findings = { add(what: string, detail: string): void; count(): number }

type Options = Record<string, number | string>
type Work<O> = (options: O & { seed: number }, run: { folder: string; findings: Findings }) => Promise<void>

/** Findings of one kind that are printed in full. */
const maxPrinted = 20

/**
 * Declares a kind of hostile run, with its options. It runs in a folder of its own, and prints its seed first, each finding, and a
 * summary at the end. `--seed N` repeats a run.
 */
export const defineRun = <O extends Options>(kind: string, options: O, work: Work<O>): Tool =>
  defineTool({
    options: { ...options, seed: randomInt(1_000_000) },
    async run(given) {
      const name = `${kind}, seed ${given.seed}`
      const { add, count, print } = newFindings()
      atEnd(() => print(name))
      console.log(name)
      await work(given as O & { seed: number }, { folder: scratchFolder(kind), findings: { add, count } }).catch(
        (error: unknown) => add('the run itself failed', error instanceof Error ? String(error.stack) : String(error)),
      )
      return count() === 0 ? 0 : 1
    },
  })

function newFindings() {
  const counts = new Map<string, number>()
  const count = () => [...counts.values()].reduce((sum, found) => sum + found, 0)
  return {
    count,
    add(what: string, detail: string) {
      const known = (counts.get(what) ?? 0) + 1
      counts.set(what, known)
      if (known <= maxPrinted) console.log(`FINDING ${what}\n  ${detail.replaceAll('\n', '\n  ')}`)
    },
    print(run: string) {
      console.log(`${run}: ${count() === 0 ? 'no findings' : `${count()} findings`}`)
      for (const [what, found] of counts) console.log(`  ${found} × ${what}`)
    },
  }
}
