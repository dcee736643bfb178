import { jobStreamPrefix, streamNames } from '#events/streams.ts'
import { sql } from 'kysely'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { AgentStreams } from './selectEvents.ts'

/** Up to this many streams are looked up by name; beyond it, each event is checked against them. */
const few = 500

/** The streams of an agent: its own, and those of the jobs it works on. */
export async function streamsOfAgent(db: Db, agent: number): Promise<AgentStreams> {
  const { rows } = await sql<{ stream: string }>`${jobsOf(agent)} LIMIT ${few + 1}`.execute(db)
  const own = streamNames.agent(agent)
  if (rows.length <= few) return (events) => events('stream', 'in', [own, ...rows.map(({ stream }) => stream)])
  return (events) => events.or([events('stream', '=', own), sql<boolean>`stream IN (${jobsOf(agent)})`])
}

const jobsOf = (agent: number) => sql<{ stream: string }>`
  SELECT ${jobStreamPrefix}::text || id AS stream FROM jobs WHERE server_id = ${agent}
  UNION SELECT ${jobStreamPrefix}::text || job_id FROM tasks WHERE server_id = ${agent}`
