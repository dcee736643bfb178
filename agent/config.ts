import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { builtInAgent } from '#events/agents.ts'

const Environment = z.object({
  NATS_URL: z.string({ error: 'must say where NATS is, as nats://host:4222' }),
  AGENT_ID: z.coerce.number<string>().int().min(1).max(999_999_999).default(builtInAgent),
  AGENT_SEED: z.string().trim().optional(),
  AGENT_SEED_FILE: z.string().transform(readSeed).optional(),
  AGENT_TOKEN: z.string().optional(),
  AGENT_STATE: z.string().optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
})

/**
 * What the environment says. `seed` is that of an nkey, from the file that is named, or from the environment itself; neither
 * it nor the token is ever written anywhere. `state` is a folder of this agent's alone.
 */
export type Config = {
  natsUrl: string
  agentId: number
  seed: string | undefined
  token: string | undefined
  state: string
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
  const { NATS_URL, AGENT_ID, AGENT_SEED, AGENT_SEED_FILE, AGENT_TOKEN, AGENT_STATE, LOG_LEVEL } = read.data
  const seed = AGENT_SEED_FILE ?? AGENT_SEED
  const state = resolve(AGENT_STATE ?? join(homedir(), '.dataintell', `agent-${AGENT_ID}`))
  return { natsUrl: NATS_URL, agentId: AGENT_ID, seed, token: AGENT_TOKEN, state, logLevel: LOG_LEVEL }
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
