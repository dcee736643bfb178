import { type AdmittedAgent, natsAccounts, serverAccount } from '#server/platform/nats/agentDoor.ts'
import { z } from 'zod'

/** Public keys of the server and the agents; `hasTls` if agents connect over other networks. */
type Admission = { server: string; agents: AdmittedAgent[]; hasTls: boolean }

/** Folder of the secrets in a container. */
const inContainer = '/run/secrets'

/** Bytes of the streams; a full one slows scans down. */
const maxFileStore = 8 * 1024 ** 3

/** The configuration of a nats-server that runs alone in its container, as JSON, which nats-server reads. */
export function natsConfiguration({ server, agents, hasTls }: Admission): string {
  const { [serverAccount]: ofServer, ...ofAgents } = natsAccounts(agents)
  const configuration = {
    host: '0.0.0.0',
    port: 4222,
    http: '127.0.0.1:8222',
    server_name: 'dataintell',
    max_payload: 1024 ** 2,
    jetstream: { store_dir: '/data', max_file_store: maxFileStore, max_memory_store: 64 * 1024 ** 2 },
    authorization: { timeout: 10 },
    ...(hasTls && { tls: { cert_file: `${inContainer}/nats_cert`, key_file: `${inContainer}/nats_key`, timeout: 5 } }),
    accounts: { [serverAccount]: { ...ofServer, users: [{ nkey: server }] }, ...ofAgents },
  }
  return `${JSON.stringify(configuration, undefined, 2)}\n`
}

const Users = z.object({ users: z.tuple([z.object({ nkey: z.string().regex(/^U[A-Z2-7]{55}$/) })]) })
const Configuration = z.object({
  tls: z.unknown().optional(),
  accounts: z.looseObject({ [serverAccount]: z.unknown() }),
})

/**
 * Reads a configuration written by `natsConfiguration`, or the block for a new agent from Settings > Agents. `server` is
 * undefined in the latter. Throws if the text is neither.
 */
export function readAdmission(text: string): Omit<Admission, 'server'> & { server: string | undefined } {
  const { tls, accounts } = Configuration.parse(JSON.parse(text))
  const keyOf = (account: unknown) => Users.parse(account).users[0].nkey
  const agents = Object.entries(accounts).flatMap(([account, value]) => {
    const [, agentId] = /^AGENT_(\d+)$/.exec(account) ?? []
    return agentId === undefined ? [] : { agentId: Number(agentId), publicKey: keyOf(value) }
  })
  const server = Users.safeParse(accounts[serverAccount]).data?.users[0].nkey
  return { server, agents, hasTls: tls !== undefined }
}
