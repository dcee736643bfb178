import { sql } from 'kysely'
import { counter } from '#server/platform/http/metrics.ts'
import type { Platform } from '#server/platform/platform.ts'

const refused = counter('refused_messages_total', 'Messages of agents that were refused, by reason', ['reason'])

/** Counts and logs a refused message. It changes nothing else. The id of an unknown agent is 0. */
export async function countRefused({ db, log }: Platform, agentId: number, reason: string): Promise<void> {
  refused.inc({ reason })
  log.warn({ agentId, reason }, 'A message of an agent was refused')
  await db
    .insertInto('refusedMessages')
    .values({ reason, agentId, messages: 1 })
    .onConflict((on) =>
      on
        .columns(['reason', 'agentId'])
        .doUpdateSet({ messages: sql`refused_messages.messages + 1`, lastAt: sql`now()` }),
    )
    .execute()
}
