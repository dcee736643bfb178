import { consumers, streams, subjects } from '#events/subjects.ts'

/** An agent and the public key of its nkey. */
export type AdmittedAgent = { agentId: number; publicKey: string }

/**
 * Where agents find NATS, and who is let in. `admit` lets in exactly these beside the built-in one: another's connection is
 * closed. It is undefined for a NATS of the environment, which is told by whoever runs it.
 */
export type AgentDoor = { natsUrl: string; admit: ((agents: AdmittedAgent[]) => void) | undefined }

/** What an agent may say and hear on NATS: what bears its own number, and its own tasks. */
const agentPermissions = (agentId: number) => ({
  publish: [
    subjects.allScans(agentId),
    subjects.allSaid(agentId),
    `$JS.API.CONSUMER.INFO.${streams.tasks}.${consumers.tasks(agentId)}`,
    `$JS.API.CONSUMER.MSG.NEXT.${streams.tasks}.${consumers.tasks(agentId)}`,
    `$JS.ACK.${streams.tasks}.${consumers.tasks(agentId)}.>`,
  ],
  subscribe: [subjects.allAsked(agentId), subjects.inbox(agentId)],
  allow_responses: true,
})

/** An agent as the configuration of nats-server has its users. */
export const natsUser = ({ agentId, publicKey }: AdmittedAgent) => ({
  nkey: publicKey,
  permissions: agentPermissions(agentId),
})
