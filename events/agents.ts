import { z } from 'zod'
import { nameText } from '#events/contract/names.ts'
import { crud, endpoint, Id } from './contract/endpoint.ts'

/** Milliseconds between the heartbeats of an agent. An agent is inactive after three missed heartbeats. */
export const heartbeatIntervalMs = 5_000
export const inactiveAfterMs = 3 * heartbeatIntervalMs

/** ID of the agent that the server starts. It can't be deleted and is not in the list of agent states. */
export const builtInAgent = 1

/**
 * Version of the orders, reports and blocks that servers and agents exchange. Raised with each change that an earlier
 * version can't read. Agents of another version get no tasks.
 */
export const protocolVersion = 7

/**
 * Text without control characters, stored and shown unchanged. The pattern is only read when it is needed: Firefox 60 on
 * wall displays, which needs it for nothing, can't read it.
 */
const printable = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !/\p{C}/u.test(text), 'must not have control characters')

/** A process. `boot` is equal for processes that see each other's process IDs, until their machine restarts. */
export const AgentProcess = z.object({
  boot: printable(64),
  pid: z
    .int()
    .min(1)
    .max(2 ** 31 - 1),
})
export type AgentProcess = z.infer<typeof AgentProcess>

/**
 * The machine and process of an agent. `id` is kept over restarts; a cloned machine may have the ID of its original.
 */
export const AgentMachine = AgentProcess.extend({ id: printable(64) })
export type AgentMachine = z.infer<typeof AgentMachine>

/** Sent by an agent every `heartbeatIntervalMs` and answered with a `HeartbeatAnswer`. */
export const Heartbeat = z.object({
  /** Unique for each start of the agent. */
  run: printable(64),
  version: printable(64),
  /** Absent in agents older than the field. */
  protocol: z.int().default(1),
  host: printable(255),
  /** Tasks in progress. A heartbeat renews their leases. */
  tasks: z.array(z.int()).max(10_000),
  /** Resident memory of the agent in bytes. */
  memory: z.number().min(0),
  /** May be absent in agents of earlier protocols. */
  machine: AgentMachine.optional(),
  /** The agent's earlier process, which the server named and which has ended. */
  gone: AgentProcess.optional(),
  /** True in the last heartbeat before an orderly stop. */
  isEnding: z.boolean().optional(),
})
export type Heartbeat = z.infer<typeof Heartbeat>

/**
 * Only accepted agents take tasks and send scans. A refused agent keeps sending heartbeats. `holder` is the process on
 * the same machine that holds the agent's key; if it has ended, the agent reports that.
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
  /** Number of tasks in progress. */
  runningTasks: z.int(),
  /** Scans among these tasks. Their progress is in the topic `dashboard`. */
  scanIds: z.array(z.int()),
  /** Display name of the machine that the agent's key is bound to. */
  machine: z.string().nullable(),
  /** Another machine or process that uses the agent's key and is refused. */
  refused: z
    .object({
      machine: z.string(),
      /** Identifies the machine in `acceptMachine`. */
      code: z.string(),
      /** True if the agent is too old for this server; it can't be accepted. */
      isOutdated: z.boolean(),
    })
    .nullable(),
})
export type AgentInfo = z.infer<typeof AgentInfo>

/** Folder on the server with the files that install an agent. They need no sign-in. */
export const agentPackagePath = '/agent'

/** An agent in the settings. */
export const AgentDraft = z.object({ name: nameText() })
export const Agent = AgentDraft.extend({ id: z.int() })
export type Agent = z.infer<typeof Agent>

/**
 * Credentials of a new agent, shown once: the server keeps only the public key. `command` starts the agent in a checkout,
 * where the seed is in `seedFile`. `natsBlock` is the configuration for an external NATS server, null for the embedded one.
 * `caSha256` is the SHA-256 of the certificate that agents have to trust, null if an authority issued it.
 */
export const NewAgent = Agent.extend({
  seed: z.string(),
  seedFile: z.string(),
  natsUrl: z.string(),
  command: z.string(),
  natsBlock: z.string().nullable(),
  caSha256: z.string().nullable(),
})
export type NewAgent = z.infer<typeof NewAgent>

/**
 * Command that installs and starts an agent. `origin` is the address of the server, with its base path. The key goes in by
 * the standard input, because all users of a machine can see command lines. The space at the beginning keeps it out of
 * the history of most shells.
 */
export function installCommand({ id, natsUrl, seed, caSha256 }: NewAgent, origin: string): string {
  const script = 'dataintell-agent.sh'
  return [
    ` curl -fsSL ${origin}${agentPackagePath}/install.sh -o ${script} && sudo sh ${script} --server ${origin} <<'END'`,
    `AGENT_ID=${id}`,
    `NATS_URL=${natsUrl}`,
    `AGENT_SEED=${seed}`,
    ...(caSha256 === null ? [] : [`CA_SHA256=${caSha256}`]),
    'END',
  ].join('\n')
}

const table = crud('/servers', {
  entity: Agent,
  draft: AgentDraft,
  one: 'agent',
  many: 'agents',
  needs: 'settings.edit',
})
/** The built-in agent, and agents that still scan storages, can't be deleted: 409. */
export const agents = {
  ...table,
  create: endpoint({ ...table.create, answer: NewAgent, confirm: true }),
}

/**
 * Binds the agent's key to the refused machine. The previous machine is refused from then on, and its tasks end. 409 if
 * the refused machine is gone or too old.
 */
export const acceptMachine = endpoint({
  method: 'PUT',
  path: '/servers/:id/machine',
  needs: 'settings.edit',
  failure: 'Unable to accept the machine',
  params: Id,
  body: z.object({ code: z.string().min(1).max(64) }),
  confirm: true,
})

export const agentInfos = endpoint({
  method: 'GET',
  path: '/v1/servers/infos',
  needs: 'jobs.seeAll',
  failure: 'Error while getting the list of servers',
  answer: z.array(AgentInfo),
})
