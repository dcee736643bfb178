import { agentTaskTypes } from '#events/jobs/types.ts'
import { consumers, requestSubjects, streams, subjects } from '#events/subjects.ts'

/** An agent and the public key of its nkey. */
export type AdmittedAgent = { agentId: number; publicKey: string }

/**
 * Address of NATS for agents, and its admission. `admit` makes NATS admit exactly these agents and the built-in one,
 * and close the connections of others. It resolves when each may sign in; if NATS doesn't confirm, it throws, and the
 * earlier agents stay admitted. Undefined for a NATS from the environment, whose operator configures it.
 */
export type AgentDoor = { natsUrl: string; admit: ((agents: AdmittedAgent[]) => Promise<void> | void) | undefined }

/** The NATS account of the server, which owns the streams. */
export const serverAccount = 'DATAINTELL'
const accountOf = (agentId: number): string => `AGENT_${agentId}`

/**
 * Services of the server's account that an agent uses; `stream` if more than one message may answer. Nothing else that
 * it publishes leaves its own account.
 */
const services = (agentId: number): { service: string; response_type?: 'stream' }[] => [
  { service: subjects.entriesOf(agentId) },
  { service: subjects.lifecycleOf(agentId) },
  { service: subjects.heartbeat(agentId) },
  { service: subjects.startTask(agentId) },
  { service: subjects.pending(agentId) },
  { service: subjects.files(agentId) },
  { service: subjects.outcomes(agentId) },
  { service: subjects.ended(agentId) },
  { service: subjects.copies(agentId) },
  { service: subjects.follow(agentId) },
  { service: subjects.flush(agentId) },
  ...agentTaskTypes
    .map((type) => consumers.tasks(agentId, type))
    .flatMap((consumer) => [
      { service: `$JS.API.CONSUMER.MSG.NEXT.${streams.tasks}.${consumer}`, response_type: 'stream' } as const,
      { service: `$JS.ACK.${streams.tasks}.${consumer}.>` },
    ]),
]

/** Requests from the server to an agent. */
const questions = (agentId: number): string[] => Object.values(requestSubjects).map((subject) => subject(agentId))

/** Subjects an agent may publish and subscribe to: those with its own number, and its own tasks. */
const permissions = (agentId: number) => ({
  publish: services(agentId).map(({ service }) => service),
  subscribe: [subjects.allRequests(agentId), subjects.inbox(agentId)],
  allow_responses: true,
})

/**
 * The accounts of the server and the agents, in the configuration format of nats-server. Each agent has its own
 * account, because permissions don't bind the reply subject of a message: the server and JetStream would answer there
 * in their own name. Across accounts nats-server sends replies only to the origin of the request.
 */
export function natsAccounts(agents: AdmittedAgent[]) {
  const ofServer = {
    jetstream: 'enabled',
    exports: agents.flatMap(({ agentId }) =>
      services(agentId).map((service) => ({ ...service, accounts: [accountOf(agentId)] })),
    ),
    imports: agents.flatMap(({ agentId }) =>
      questions(agentId).map((subject) => ({ service: { account: accountOf(agentId), subject } })),
    ),
  }
  const ofAgents = agents.map(({ agentId, publicKey }) => [
    accountOf(agentId),
    {
      users: [{ nkey: publicKey, permissions: permissions(agentId) }],
      exports: questions(agentId).map((service) => ({ service, accounts: [serverAccount] })),
      imports: services(agentId).map(({ service }) => ({ service: { account: serverAccount, subject: service } })),
    },
  ])
  return { [serverAccount]: ofServer, ...Object.fromEntries(ofAgents) }
}
