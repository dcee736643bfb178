import { sql } from 'kysely'
import { type Change, change } from '#server/platform/log/change.ts'
import type { Actor, Trx } from '#server/platform/log/eventLog.ts'
import { removeTaskConsumers, taskConsumers } from '#server/platform/nats/nats.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'
import { topics } from './agentRow.ts'

/** Any number, the same in every replica: one transaction at a time changes the agents that NATS admits. */
const admissionLock = 7_403_002

/** The parts of a change of agents. `admit` makes NATS admit the agents of the table as the transaction sees it. */
type Admission = Change & { admit: () => Promise<void> }

/**
 * Adds or removes agents in the table, the event log and NATS, or in none of them. Throws 503 if NATS doesn't confirm
 * the change. If the work fails after `admit`, NATS admits the earlier agents again.
 */
export async function changeAdmission<Result>(
  platform: Platform,
  by: Actor,
  work: (admission: Admission) => Promise<Result>,
): Promise<Result> {
  let isAdmitted = false
  try {
    return await change(platform, by, topics, async (change) => {
      await lockAdmission(change.trx)
      const admit = async () => {
        await admitAgents(platform, change.trx).catch(refuse)
        isAdmitted = true
      }
      return work({ ...change, admit })
    })
  } catch (error) {
    if (isAdmitted) await admitCommitted(platform).catch((error: unknown) => warnOfAdmission(platform, error))
    throw error
  }
}

function refuse(cause: unknown): never {
  const reason = cause instanceof Error ? cause.message : String(cause)
  throw new Problem(503, `Nothing was changed: ${reason}. Check that NATS is up, then try again.`, { cause })
}

const warnOfAdmission = ({ log }: Platform, error: unknown) =>
  log.warn({ error }, 'NATS admits the agents of a failed change until the next start')

/**
 * At start: makes NATS admit the agents of the table, gives each a queue, and removes the queues of deleted agents.
 * Throws if NATS doesn't confirm which agents it admits: the start fails, and nothing was changed.
 */
export async function arrangeAgents(platform: Platform): Promise<void> {
  const { db, nats } = platform
  await admitCommitted(platform)
  const agents = await db.selectFrom('agents').select(['id', 'deletedAt']).orderBy('id').execute()
  for (const { id, deletedAt } of agents) await (deletedAt ? removeTaskConsumers : taskConsumers)(nats, id)
}

const admitCommitted = (platform: Platform): Promise<void> =>
  platform.db.transaction().execute(async (trx) => {
    await lockAdmission(trx)
    await admitAgents(platform, trx)
  })

const lockAdmission = async (trx: Trx): Promise<void> =>
  void (await sql`SELECT pg_advisory_xact_lock(${admissionLock})`.execute(trx))

async function admitAgents({ agentDoor: { admit } }: Platform, trx: Trx): Promise<void> {
  const rows = await trx
    .selectFrom('agents')
    .select(['id', 'publicKey'])
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .execute()
  await admit?.(rows.flatMap(({ id, publicKey }) => (publicKey === null ? [] : [{ agentId: id, publicKey }])))
}
