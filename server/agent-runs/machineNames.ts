import type { Holder } from './judgeRun.ts'
import type { RefusedRun } from '#server/platform/postgres/agentTables.ts'

/** Characters of an ID that are shown. An agent logs the same of its own IDs when it starts. */
const shown = 8

/** The short name of a run, which tells it from the others of its agent. */
export const runCode = (run: string): string => run.slice(0, shown)

/** Names a process for people: `north.example (machine 3f2a91c0, run 8c1d22ab)`. */
export function nameMachine({ host, machine, run }: Pick<Holder | RefusedRun, 'host' | 'machine' | 'run'>): string {
  const ids = [machine && `machine ${machine.slice(0, shown)}`, run && `run ${runCode(run)}`].filter(Boolean)
  const name = host || 'A machine without a name'
  return ids.length > 0 ? `${name} (${ids.join(', ')})` : name
}
