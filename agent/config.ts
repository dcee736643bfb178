import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { builtInAgent } from '#events/agents.ts'
import { type NatsTls, natsTls } from '#events/node/natsTls.ts'
import { describeInvalid, readSecretFiles, seedForm, withFileNames } from '#events/node/secretFiles.ts'

/** Variables whose value may also be in a file, which `NAME_FILE` names. */
const secretVariables = ['NATS_URL', 'AGENT_SEED', 'AGENT_TOKEN'] as const

const Environment = z.object({
  NATS_URL: z.string({ error: 'must be the address of NATS, such as nats://host:4222 or tls://host:4222' }),
  NATS_CA: z.string().transform(readCertificates).optional(),
  AGENT_ID: z.coerce.number<string>().int().min(1).max(999_999_999).default(builtInAgent),
  AGENT_SEED: z.string().trim().regex(seedForm, 'must be the seed of an agent, which starts with SU').optional(),
  AGENT_TOKEN: z.string().optional(),
  AGENT_STATE: z.string().optional(),
  AGENT_RUN: z.string().max(64).optional(),
  AGENT_P5_DUMPS: z.string().transform(readDumpFolder).optional(),
  AGENT_MAY_CHANGE: z.string().default('').transform(readFolders),
  AGENT_MAY_DELETE: z.string().default('').transform(readFolders),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
})

/** Names of all variables of an agent, except those of its machine. */
export const agentVariables: readonly string[] = withFileNames(Environment.shape, secretVariables)

/**
 * Configuration from the environment. `seed` is an nkey seed, from a file or from the environment itself; neither the
 * seed nor the token is ever written anywhere. `state` is a folder for this agent only.
 */
export type Config = {
  natsUrl: string
  /** Undefined if the server decides whether to use TLS. */
  tls: NatsTls | undefined
  agentId: number
  seed: string | undefined
  token: string | undefined
  state: string
  /** Run ID assigned by the server that started this agent; the server gave its key to this run. */
  run: string | undefined
  p5Dumps: P5DumpFolder | undefined
  /** Folders below which the server may move files to quarantine and put them back. */
  mayChange: string[]
  /** Those below which it may also delete files in quarantine. */
  mayDelete: string[]
  logLevel: string | undefined
}

/** A folder of an Archiware P5 client, and the same folder on this machine. P5 writes dumps of its indexes there. */
export type P5DumpFolder = { client: string; clientFolder: string; folder: string }

/** Reads the environment. Throws one sentence that names each invalid variable, without values. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const secrets = readSecretFiles(environment, secretVariables)
  const parsed = Environment.safeParse(secrets.environment)
  const invalid = describeInvalid(secrets, parsed.error?.issues)
  if (!parsed.success || invalid !== undefined) throw new Error(invalid)
  const { NATS_URL, NATS_CA, AGENT_ID, AGENT_SEED, AGENT_TOKEN, AGENT_STATE, AGENT_RUN, LOG_LEVEL } = parsed.data
  return {
    natsUrl: NATS_URL,
    tls: natsTls(NATS_URL, NATS_CA),
    agentId: AGENT_ID,
    seed: AGENT_SEED,
    token: AGENT_TOKEN,
    state: resolve(AGENT_STATE ?? join(homedir(), '.dataintell', `agent-${AGENT_ID}`)),
    run: AGENT_RUN,
    p5Dumps: parsed.data.AGENT_P5_DUMPS,
    mayChange: parsed.data.AGENT_MAY_CHANGE,
    mayDelete: parsed.data.AGENT_MAY_DELETE,
    logLevel: LOG_LEVEL,
  }
}

function readDumpFolder(text: string, check: z.RefinementCtx): P5DumpFolder {
  const [, client, clientFolder, folder] = /^([^:=]+):(\/[^=]*)=(\/.*)$/.exec(text.trim()) ?? []
  if (client && clientFolder && folder) return { client, clientFolder, folder }
  check.addIssue('must be CLIENT:FOLDER=FOLDER: a P5 client, a folder on it, and the same folder on this machine')
  return z.NEVER
}

function readFolders(text: string, check: z.RefinementCtx): string[] {
  const folders = text.split(/[,:]/).flatMap((folder) => folder.trim() || [])
  if (!folders.every((folder) => folder.startsWith('/')))
    check.addIssue('must be full paths of folders, separated by commas')
  return folders
}

function readCertificates(file: string, check: z.RefinementCtx): string {
  try {
    const text = readFileSync(file, 'utf8')
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text
    check.addIssue(`${file} does not contain a certificate`)
  } catch (error) {
    check.addIssue(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  return z.NEVER
}
