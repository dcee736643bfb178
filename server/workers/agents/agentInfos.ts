import { sql } from 'kysely'
import { type AgentInfo, type AgentState, builtInAgent, inactiveAfterMs } from '#events/agents.ts'
import { holderColumns, nameMachine, rivalOf, runCode } from '#server/workers/agent-runs/index.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { RefusedRun } from '#server/platform/postgres/agentTables.ts'

/** Lists the agents with their states, without the built-in one, which belongs to the API. */
export async function listAgentInfos(db: Db, now: Date): Promise<AgentInfo[]> {
  const agents = await db
    .selectFrom('agents')
    .select([...holderColumns, 'version', 'lastCheckedAt'])
    .select((of) =>
      of
        .selectFrom('tasks')
        .select(({ fn }) => fn.countAll<number>().as('running'))
        .whereRef('tasks.serverId', '=', 'agents.id')
        .where('tasks.status', '=', 'RUNNING')
        .as('runningTasks'),
    )
    .select((of) =>
      of
        .selectFrom('scans')
        .select(sql<number[]>`array_agg(scans.id ORDER BY scans.id)`.as('ids'))
        .whereRef('scans.agentId', '=', 'agents.id')
        .where('scans.state', '=', 'running')
        .as('scanIds'),
    )
    .where('id', '!=', builtInAgent)
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .execute()
  return agents.map((agent) => {
    const { id, name, version, lastActiveAt, lastCheckedAt, runningTasks, scanIds } = agent
    const state = stateOf(lastActiveAt, now)
    return {
      id,
      name,
      version,
      state,
      isActive: state === 'active',
      lastActiveDate: lastActiveAt?.toISOString() ?? null,
      lastCheckedDate: lastCheckedAt?.toISOString() ?? null,
      runningTasks: runningTasks ?? 0,
      scanIds: scanIds ?? [],
      machine: agent.machine && nameMachine(agent),
      refused: refusedInfo(rivalOf(agent, now)),
    }
  })
}

function refusedInfo(refused: RefusedRun | null): AgentInfo['refused'] {
  return refused && { machine: nameMachine(refused), code: runCode(refused.run), isOutdated: refused.machine === null }
}

/** Active with a heartbeat in the last 15 s; unknown before the first one. */
function stateOf(lastActiveAt: Date | null, now: Date): AgentState {
  if (!lastActiveAt) return 'unknown'
  return now.getTime() - lastActiveAt.getTime() < inactiveAfterMs ? 'active' : 'inactive'
}
