import { z } from 'zod'
import { crud, endpoint, Id } from './contract/endpoint.ts'

/** Agents say every 5 s that they live; three missed make them inactive. Milliseconds. */
export const heartbeatEvery = 5_000
export const inactiveAfter = 3 * heartbeatEvery

/** The agent that the server itself starts; it cannot be deleted and is left out where agents tell how they are. */
export const builtInAgent = 1

/**
 * Version of the orders, reports and blocks that servers and agents exchange, raised with each change that one of an earlier version
 * doesn't understand. Agents of another version get no tasks.
 */
export const protocolVersion = 3

/** Text that is stored and shown as it is: no control characters. */
const printable = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^\P{C}*$/u)

/** A process: `boot` is the same for processes that see each other's process IDs, until their machine restarts. */
export const AgentProcess = z.object({
  boot: printable(64),
  pid: z
    .int()
    .min(1)
    .max(2 ** 31 - 1),
})
export type AgentProcess = z.infer<typeof AgentProcess>

/** The machine and process of an agent. `id` stays the same over restarts; a cloned machine may have the ID of its original. */
export const AgentMachine = AgentProcess.extend({ id: printable(64) })
export type AgentMachine = z.infer<typeof AgentMachine>

/** Sent by an agent every few seconds and answered with a `HeartbeatAnswer`. */
export const Heartbeat = z.object({
  /** Another text for each start of the agent. */
  run: printable(64),
  version: printable(64),
  /** Agents from before there was one don't send it. */
  protocol: z.int().default(1),
  host: printable(255),
  /** Tasks that the agent works on. A heartbeat renews their leases. */
  tasks: z.array(z.int()).max(10_000),
  /** Bytes of memory the agent holds. */
  memory: z.number().min(0),
  /** Agents of earlier protocols may not send it. */
  machine: AgentMachine.optional(),
  /** The agent's earlier process, which the server named and which has ended. */
  gone: AgentProcess.optional(),
  /** The last heartbeat of an agent that stops in order. */
  isEnding: z.boolean().optional(),
})
export type Heartbeat = z.infer<typeof Heartbeat>

/**
 * Only an agent that is accepted takes tasks and sends scans. One that is refused keeps asking. `holder` is the process on
 * the same machine that holds the agent's key: if it has ended, the agent says so.
 */
export const HeartbeatAnswer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('accepted') }),
  z.object({ type: z.literal('refused'), reason: z.string(), holder: AgentProcess.optional() }),
])
export type HeartbeatAnswer = z.infer<typeof HeartbeatAnswer>

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
  /** The machine that the agent's key is bound to, as people read it. */
  machine: z.string().nullable(),
  /** Another machine, or another process, that uses the agent's key now and is refused. */
  refused: z
    .object({
      machine: z.string(),
      /** Names it in `acceptMachine`. */
      code: z.string(),
      /** It is too old for this server, and can't be accepted. */
      isOutdated: z.boolean(),
    })
    .nullable(),
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

/**
 * Binds the agent's key to the machine that was refused; the machine before is refused from then on, and what it works on
 * ends. 409 when that machine is no longer there, or is too old.
 */
export const acceptMachine = endpoint({
  method: 'PUT',
  path: '/servers/:id/machine',
  needs: 'settings.edit',
  failure: 'Unable to accept the machine',
  params: Id,
  body: z.object({ code: z.string().min(1).max(64) }),
})

export const agentInfos = endpoint({
  method: 'GET',
  path: '/v1/servers/infos',
  needs: 'jobs.seeAll',
  failure: 'Error while getting the list of servers',
  answer: z.array(AgentInfo),
})
