import { z } from 'zod'
import { crud, endpoint } from './contract/endpoint.ts'

/** Agents say every 5 s that they live; three missed make them inactive. Milliseconds. */
export const heartbeatEvery = 5_000
export const inactiveAfter = 3 * heartbeatEvery

/** The agent that the server itself starts; it cannot be deleted and is left out where agents tell how they are. */
export const builtInAgent = 1

/** `run` is another text for each start of the agent. `tasks` are those it works on, which renews their lease. */
export const Heartbeat = z.object({
  run: z.string().max(64),
  version: z.string().max(64),
  host: z.string().max(255),
  tasks: z.array(z.int()).max(10_000),
  /** Bytes of memory the agent holds. */
  memory: z.number().min(0),
})
export type Heartbeat = z.infer<typeof Heartbeat>

export const AgentState = z.enum(['active', 'inactive', 'unknown'])
export type AgentState = z.infer<typeof AgentState>

export const AgentInfo = z.object({
  id: z.int(),
  name: z.string(),
  version: z.string().nullable(),
  isActive: z.boolean(),
  state: AgentState,
  lastCheckedDate: z.string().nullable(),
  lastActiveDate: z.string().nullable(),
  /** How many tasks it works on. */
  runningTasks: z.int(),
  /** The scans among them; how far each is, the topic `dashboard` tells. */
  scanIds: z.array(z.int()),
})
export type AgentInfo = z.infer<typeof AgentInfo>

/** An agent as settings list it. */
export const AgentDraft = z.object({ name: z.string().trim().min(1, 'must not be blank').max(255) })
export const Agent = AgentDraft.extend({ id: z.int() })
export type Agent = z.infer<typeof Agent>

/**
 * What a new agent signs in with, shown once: the server keeps the public key alone. `command` starts the agent on its
 * machine, where the seed lies in `seedFile`; `natsBlock` is what a NATS of the environment has to be told of it, null for
 * the embedded one.
 */
export const NewAgent = Agent.extend({
  seed: z.string(),
  seedFile: z.string(),
  natsUrl: z.string(),
  command: z.string(),
  natsBlock: z.string().nullable(),
})
export type NewAgent = z.infer<typeof NewAgent>

const table = crud('/servers', {
  entity: Agent,
  draft: AgentDraft,
  one: 'agent',
  many: 'agents',
  needs: 'settings.edit',
})
/** The built-in agent cannot be deleted, nor one that still scans storages: 409. */
export const agents = {
  ...table,
  create: endpoint({ ...table.create, answer: NewAgent }),
}

export const agentInfos = endpoint({
  method: 'GET',
  path: '/v1/servers/infos',
  needs: 'jobs.seeAll',
  failure: 'Error while getting the list of servers',
  answer: z.array(AgentInfo),
})
