import type { Holder } from './judgeRun.ts'
import type { RefusedRun } from '#server/platform/postgres/agentTables.ts'

/** Characters of an ID that are shown. Agents log the same part of their own IDs at start. */
const shown = 8

/** The short name of a run, which distinguishes it from others of its agent. */
export const runCode = (run: string): string => run.slice(0, shown)

/** A process as text: `north.example (machine 3f2a91c0, run 8c1d22ab)`. */
export function nameMachine({ host, machine, run }: Pick<Holder | RefusedRun, 'host' | 'machine' | 'run'>): string {
  const ids = [machine && `machine ${machine.slice(0, shown)}`, run && `run ${runCode(run)}`].filter(Boolean)
  const name = host || 'A machine without a name'
  return ids.length > 0 ? `${name} (${ids.join(', ')})` : name
}
