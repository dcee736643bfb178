import type { Selectable } from 'kysely'
import { type AgentMachine, type AgentProcess, builtInAgent, type Heartbeat, inactiveAfterMs } from '#events/agents.ts'
import type { AgentTables, RefusedRun } from '#server/platform/postgres/agentTables.ts'

/** The columns of an agent that identify the process holding its key. */
export const holderColumns = ['id', 'name', 'run', 'machine', 'host', 'boot', 'pid', 'lastActiveAt', 'refused'] as const
export type Holder = Pick<Selectable<AgentTables['agents']>, (typeof holderColumns)[number]>

export type Verdict = 'accepted' | 'too old' | 'another machine' | 'a second process'

/**
 * Decides whether the sender of a heartbeat may hold its agent's key. `listeningSince` is when this server began to
 * receive heartbeats without a gap; silence before that proves nothing. Times in milliseconds.
 */
export function judgeRun(
  holder: Holder,
  { run, machine, gone }: Heartbeat,
  { now, listeningSince }: { now: number; listeningSince: number },
): Verdict {
  if (!machine) return 'too old'
  if (isUnbound(holder) || isHolder(holder, run, machine)) return 'accepted'
  const lastSign = Math.max(holder.lastActiveAt?.getTime() ?? 0, listeningSince)
  const isFree = holder.run === null || now - lastSign >= inactiveAfterMs
  // The server starts the built-in agent, on any machine.
  if (isFree && holder.id === builtInAgent) return 'accepted'
  if (holder.machine !== machine.id) return 'another machine'
  const isRival = holder.refused?.boot === machine.boot && wasBeside(holder, holder.refused)
  return hasEnded(holder, machine, gone) || (isFree && !isRival) ? 'accepted' : 'a second process'
}

const isUnbound = ({ run, machine }: Holder): boolean => run === null && machine === null

const isHolder = (holder: Holder, run: string, { id }: AgentMachine): boolean =>
  holder.run === run && (holder.machine === null || holder.machine === id)

/** A process from the holder's boot reports that the holder has ended. */
const hasEnded = ({ boot, pid }: Holder, machine: AgentMachine, gone: AgentProcess | undefined): boolean =>
  machine.boot === boot && gone?.boot === boot && gone.pid === pid

/**
 * The holder sent a heartbeat after the first one of the refused process. So that process is not a restart of the
 * holder, but a second process or a clone of its machine, and must not take over by outliving the holder.
 */
const wasBeside = ({ lastActiveAt }: Pick<Holder, 'lastActiveAt'>, { since }: RefusedRun): boolean =>
  lastActiveAt !== null && new Date(since) < lastActiveAt

/** Returns whether a refused process still sends heartbeats. */
const isWaiting = ({ at }: RefusedRun, now: Date): boolean => now.getTime() - new Date(at).getTime() < inactiveAfterMs

/**
 * The refused process that still requests the key. One that may be a restart of the holder's machine only has to wait.
 */
export function rivalOf(holder: Pick<Holder, 'refused' | 'machine' | 'lastActiveAt'>, now: Date): RefusedRun | null {
  const { refused, machine } = holder
  if (!refused || !isWaiting(refused, now)) return null
  const mayBeRestart = refused.machine !== null && refused.machine === machine && !wasBeside(holder, refused)
  return mayBeRestart ? null : refused
}

/** The refused process to remember: one at a time, the first until it falls silent. */
export function rememberRefused(known: RefusedRun | null, beat: Heartbeat, now: Date): RefusedRun {
  const { run, host, version, machine } = beat
  const isSame = known !== null && (known.boot === null ? known.run === run : known.boot === machine?.boot)
  if (known && !isSame && isWaiting(known, now)) return known
  const at = now.toISOString()
  const { id = null, boot = null, pid = null } = machine ?? {}
  return { run, host, version, machine: id, boot, pid, since: isSame ? known.since : at, at }
}
