import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { getCACertificates } from 'node:tls'
import { z } from 'zod'
import { builtInAgent } from '#events/agents.ts'

const Environment = z.object({
  NATS_URL: z.string({ error: 'must say where NATS is, as nats://host:4222 or tls://host:4222' }),
  NATS_CA: z.string().transform(readAuthorities).optional(),
  AGENT_ID: z.coerce.number<string>().int().min(1).max(999_999_999).default(builtInAgent),
  AGENT_SEED: z.string().trim().optional(),
  AGENT_SEED_FILE: z.string().transform(readSeed).optional(),
  AGENT_TOKEN: z.string().optional(),
  AGENT_STATE: z.string().optional(),
  AGENT_RUN: z.string().max(64).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
})

/**
 * What the environment says. `seed` is that of an nkey, from the file that is named, or from the environment itself; neither
 * it nor the token is ever written anywhere. `state` is a folder of this agent's alone.
 */
export type Config = {
  natsUrl: string
  /**
   * Whom the line by TLS has to lead to: always for an address that begins with `tls:`, and where authorities are named;
   * else those of the system count. Where it is undefined, the server says whether there is TLS.
   */
  tls: { host: string; ca: string } | undefined
  agentId: number
  seed: string | undefined
  token: string | undefined
  state: string
  /** The server that starts its own agent has given its key to this run. */
  run: string | undefined
  logLevel: string | undefined
}

/** Reads the environment; throws one readable sentence that names each wrong variable, and shows no value. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const filled = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const read = Environment.safeParse(filled)
  if (!read.success) {
    const wrong = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw new Error(`These settings of the environment are wrong: ${wrong.join('; ')}`)
  }
  const { NATS_URL, NATS_CA, AGENT_ID, AGENT_SEED, AGENT_SEED_FILE, AGENT_TOKEN, AGENT_STATE, AGENT_RUN, LOG_LEVEL } =
    read.data
  return {
    natsUrl: NATS_URL,
    tls: tlsTo(NATS_URL, NATS_CA),
    agentId: AGENT_ID,
    seed: AGENT_SEED_FILE ?? AGENT_SEED,
    token: AGENT_TOKEN,
    state: resolve(AGENT_STATE ?? join(homedir(), '.dataintell', `agent-${AGENT_ID}`)),
    run: AGENT_RUN,
    logLevel: LOG_LEVEL,
  }
}

function readSeed(file: string, check: z.RefinementCtx): string {
  try {
    const seed = readFileSync(file, 'utf8').trim()
    if (/^SU[A-Z2-7]{56}$/.test(seed)) return seed
    check.addIssue(`${file} holds no seed of an agent`)
  } catch (error) {
    check.addIssue(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  return z.NEVER
}

/** The client of NATS has names checked by itself, and addresses only when it is told. */
function tlsTo(natsUrl: string, ca: string | undefined): Config['tls'] {
  if (ca === undefined && !/^tls:/i.test(natsUrl)) return undefined
  const [, host = ''] = /^(?:\w+:\/\/)?(?:[^@/]*@)?(\[[^\]]*\]|[^:/]*)/.exec(natsUrl) ?? []
  return { host: host.replace(/^\[|\]$/g, ''), ca: ca ?? authoritiesOfSystem() }
}

/** Those that this machine trusts, and those that Node knows. */
const authoritiesOfSystem = () => [...getCACertificates('system'), ...getCACertificates('default')].join('\n')

function readAuthorities(file: string, check: z.RefinementCtx): string {
  try {
    const words = readFileSync(file, 'utf8')
    if (words.includes('-----BEGIN CERTIFICATE-----')) return words
    check.addIssue(`${file} holds no certificate`)
  } catch (error) {
    check.addIssue(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  return z.NEVER
}
