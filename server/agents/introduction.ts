import type { NewAgent } from '#events/agents.ts'
import { type AdmittedAgent, type AgentDoor, natsUser } from '#server/platform/agentDoor.ts'

/** What whoever starts a new agent has to know. The seed is in none of it: command lines are seen by everyone of a machine. */
export function introduction(
  agent: AdmittedAgent,
  { natsUrl, admit }: AgentDoor,
): Pick<NewAgent, 'natsUrl' | 'seedFile' | 'command' | 'natsBlock'> {
  const address = withoutSignIn(natsUrl)
  const seedFile = `agent-${agent.agentId}.seed`
  return {
    natsUrl: address,
    seedFile,
    command: `AGENT_ID=${agent.agentId} NATS_URL=${quoted(address)} AGENT_SEED_FILE=${seedFile} node agent/main.ts`,
    natsBlock: admit ? null : JSON.stringify(natsUser(agent), undefined, 2),
  }
}

/** The address alone: a name and password in it would be the server's own. */
const withoutSignIn = (url: string): string => url.replace(/\/\/[^/@]*@/, '//')

const quoted = (word: string): string =>
  /^[\w:./,[\]-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
