import { AgentMachine, builtInAgent, type Heartbeat, type HeartbeatAnswer, protocolVersion } from '#events/agents.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type Holder, holderColumns, judgeRun, rememberRefused, type Verdict } from './judgeRun.ts'
import { nameMachine } from './machineNames.ts'

/**
 * Accepts the sender of a heartbeat as the only process that holds its agent's key, or refuses and remembers it.
 * Undefined for an unknown agent, and for one that stops without holding the key.
 */
export async function admitRun(
  db: Db,
  agentId: number,
  sent: Heartbeat,
  listeningSince: number,
): Promise<HeartbeatAnswer | undefined> {
  // The machine reported by an agent of another protocol is ignored.
  const beat = sent.protocol === protocolVersion ? sent : { ...sent, machine: undefined }
  const now = new Date()
  if (await renew(db, agentId, beat, now)) return { type: 'accepted' }
  if (beat.isEnding) return undefined
  return db.transaction().execute(async (trx) => {
    const holder = await trx
      .selectFrom('agents')
      .select(holderColumns)
      .where('id', '=', agentId)
      .where('deletedAt', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!holder) return undefined
    const update = trx.updateTable('agents').where('id', '=', agentId)
    const verdict = judgeRun(holder, beat, { now: now.getTime(), listeningSince })
    if (verdict !== 'accepted') {
      const refused = rememberRefused(holder.refused, beat, now)
      await update.set({ refused: JSON.stringify(refused), lastCheckedAt: now }).execute()
      return refusal(holder, beat, verdict)
    }
    const { run, version, host } = beat
    const { id: machine, boot, pid } = AgentMachine.parse(beat.machine)
    const refused = holder.refused?.boot === boot ? { refused: null } : {}
    const signs = { version, host, lastActiveAt: now, lastCheckedAt: now }
    await update.set({ run, machine, boot, pid, ...signs, ...refused }).execute()
    return { type: 'accepted' }
  })
}

/** Records a heartbeat of the process that holds the key; does nothing for any other. */
async function renew(db: Db, agentId: number, { run, version, host, machine, isEnding }: Heartbeat, now: Date) {
  if (!machine) return false
  const { numUpdatedRows } = await db
    .updateTable('agents')
    .set({ version, host, lastActiveAt: now, lastCheckedAt: now, ...(isEnding && { run: null }) })
    .where('id', '=', agentId)
    .where('run', '=', run)
    .where('machine', '=', machine.id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function refusal(holder: Holder, beat: Heartbeat, verdict: Exclude<Verdict, 'accepted'>): HeartbeatAnswer {
  if (verdict === 'too old') return { type: 'refused', reason: tooOld }
  const { boot, pid } = holder
  const self = nameMachine({ ...beat, machine: beat.machine?.id ?? null })
  const reason = holder.id === builtInAgent ? ofOtherServer : keyIsTaken(holder, self)
  const canFollow = verdict === 'a second process' && boot !== null && pid !== null
  return { type: 'refused', reason, ...(canFollow && { holder: { boot, pid } }) }
}

const keyIsTaken = (holder: Holder, self: string): string =>
  [
    `The key of agent ${holder.name} belongs to ${nameMachine(holder)}. This is ${self} and gets no tasks.`,
    'If this machine replaces the other one, accept it in Settings > Agents.',
    'Otherwise stop this agent, and add an agent with a key of its own for this machine.',
  ].join(' ')

const ofOtherServer = 'The built-in agent of another server is working. This one waits until that has ended.'

export const tooOld = 'This agent is too old for the server and gets no tasks. Update it to the version of the server.'

/** Returns whether the run holds the agent's key. */
export async function holdsKey(db: Db, agentId: number, run: string): Promise<boolean> {
  const row = await db
    .selectFrom('agents')
    .select('id')
    .where('id', '=', agentId)
    .where('run', '=', run)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Gives the key of the built-in agent to a run that its server is about to start, so it never waits for another run.
 */
export async function claimBuiltInRun(db: Db, run: string): Promise<void> {
  const unknown = { machine: null, boot: null, pid: null }
  await db
    .updateTable('agents')
    .set({ run, ...unknown, lastActiveAt: new Date() })
    .where('id', '=', builtInAgent)
    .execute()
}
