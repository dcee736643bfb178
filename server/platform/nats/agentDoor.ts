import { consumers, streams, subjects } from '#events/subjects.ts'

/** An agent and the public key of its nkey. */
export type AdmittedAgent = { agentId: number; publicKey: string }

/**
 * Address of NATS for agents, and its admission. `admit` makes NATS admit exactly these agents and the built-in one, and
 * close the connections of others. It resolves when each may sign in; if NATS doesn't confirm, it throws, and the earlier
 * agents stay admitted. It is undefined for a NATS of the environment, whose operator configures it.
 */
export type AgentDoor = { natsUrl: string; admit: ((agents: AdmittedAgent[]) => Promise<void> | void) | undefined }

/** The account of NATS that the server signs in to, which has the streams. */
export const serverAccount = 'DATAINTELL'
const accountOf = (agentId: number): string => `AGENT_${agentId}`

/**
 * What an agent asks of the server's account; `stream` where more than one message may answer. Nothing else of what it
 * publishes leaves its own account.
 */
const services = (agentId: number): { service: string; response_type?: 'stream' }[] => [
  { service: subjects.entriesOf(agentId) },
  { service: subjects.lifecycleOf(agentId) },
  { service: subjects.heartbeat(agentId) },
  { service: subjects.startTask(agentId) },
  { service: subjects.pending(agentId) },
  {
    service: `$JS.API.CONSUMER.MSG.NEXT.${streams.tasks}.${consumers.tasks(agentId)}`,
    response_type: 'stream',
  },
  { service: `$JS.ACK.${streams.tasks}.${consumers.tasks(agentId)}.>` },
]

/** What the server asks of an agent. */
const questions = (agentId: number): string[] => [
  subjects.cancel(agentId),
  subjects.look(agentId),
  subjects.bucket(agentId),
]

/** What an agent may publish and subscribe to: what bears its own number, and its own tasks. */
const permissions = (agentId: number) => ({
  publish: services(agentId).map(({ service }) => service),
  subscribe: [subjects.allRequests(agentId), subjects.inbox(agentId)],
  allow_responses: true,
})

/**
 * The accounts of the server and of agents, as the configuration of nats-server has them. Each agent has one of its own, for
 * permissions do not bind the subject that a message asks to be answered at: the server and JetStream would answer there in
 * their own name. Across accounts nats-server sends answers back to where the question came from, and nowhere else.
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
