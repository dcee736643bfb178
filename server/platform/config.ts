import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { bundles } from '#events/contract/needs.ts'
import { isLoopback } from '#events/node/loopback.ts'
import { describeInvalid, readSecretFiles, seedForm, withFileNames } from '#events/node/secretFiles.ts'
import { SecureAddress, type SingleSignOn, singleSignOnOf, singleSignOnVariables } from './singleSignOn.ts'

/**
 * A start that can't succeed until someone changes something: an invalid setting, a data folder that is in use or belongs
 * to a newer version. Every other failure of a start is tried again, because it may pass, such as a full disk.
 */
export class CannotStart extends Error {}

/** The product's name for users. */
export const productName = 'DataIntell'

/** `0.0.0.0:4222`, `agents.example.com:4222` or `[::]:4222`. */
const listens = /^(\[[\da-f:]+\]|[^\s:[\]]+):(\d{1,5})$/i

/** First words of the product's own paths, which a base path can't have. */
const reservedPaths = [
  'api',
  'actuator',
  'agent',
  'assets',
  'login',
  'logout',
  'wall',
  'search',
  'settings',
  'projects',
  'reports',
]

const BasePath = z
  .string()
  .transform((text) => `/${text.trim().replace(/^\/+|\/+$/g, '')}`.replace(/^\/$/, ''))
  .refine((path) => /^(\/[\w.~-]+)*$/.test(path), 'must be a path, such as /dataintell')
  .refine((path) => !reservedPaths.includes(path.split('/')[1] ?? ''), 'begins with a page of the product itself')

/** Variables whose value may also be in a file, which `NAME_FILE` names. */
const secretVariables = [
  'DATABASE_URL',
  'CLICKHOUSE_URL',
  'NATS_URL',
  'NATS_SEED',
  'AGENT_SEED',
  'DATAINTELL_ADMIN_PASSWORD',
  'DATAINTELL_SECRET_KEY',
  'OIDC_CLIENT_SECRET',
  'SODA_CLIENT_SECRET',
] as const

const Seed = z.string().trim().regex(seedForm, 'must be the seed of an nkey, which starts with SU')

const Variables = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  HOST: z.string().default('127.0.0.1'),
  ALLOW_PLAIN_HTTP: z.enum(['true', 'false']).default('false'),
  DATAINTELL_DATA: z.string().default(resolve(import.meta.dirname, '../../.data')),
  DATAINTELL_ADMIN_PASSWORD: z.string().min(1).optional(),
  DATAINTELL_SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  DATAINTELL_BUNDLES: z
    .string()
    .transform((text) => text.split(',').map((word) => word.trim()))
    .pipe(z.array(z.enum(bundles)))
    .default([...bundles]),
  DATABASE_URL: z.string().optional(),
  CLICKHOUSE_URL: z.string().optional(),
  CLICKHOUSE_CLUSTER: z.string().regex(/^\w+$/, 'must be letters, digits and underscores').optional(),
  NATS_URL: z.string().optional(),
  NATS_SEED: Seed.optional(),
  AGENT_SEED: Seed.optional(),
  AGENTS_LISTEN: z.string().regex(listens, 'must be an address and a port, as 0.0.0.0:4222').optional(),
  AGENTS_TLS_CERT: z.string().optional(),
  AGENTS_TLS_KEY: z.string().optional(),
  BASE_PATH: BasePath.optional(),
  TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(',').flatMap((word) => word.trim() || []))
    .default([]),
  DO_PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  SUPPORT_URL: z.url({ protocol: /^(https?|mailto)$/, error: 'must be an http, https or mailto address' }).optional(),
  DROPBOX_APP_KEY: z.string().regex(/^\w+$/, 'must be letters and digits').optional(),
  DROPBOX_API: SecureAddress.default('https://api.dropboxapi.com'),
  MAIL_TOKEN_URL: SecureAddress.optional(),
  ICONIK_URL: SecureAddress.default('https://app.iconik.io'),
  SODA_URL: SecureAddress.optional(),
  SODA_CLIENT_ID: z.string().max(255).optional(),
  SODA_CLIENT_SECRET: z.string().max(1_000).optional(),
  ...singleSignOnVariables,
})

/** Names of all variables of the server, except those of its machine. */
export const serverVariables: readonly string[] = withFileNames(Variables.shape, secretVariables)

const Environment = Variables.superRefine(({ CLICKHOUSE_CLUSTER, CLICKHOUSE_URL }, check) => {
  if (CLICKHOUSE_CLUSTER === undefined || CLICKHOUSE_URL !== undefined) return
  const message = 'needs CLICKHOUSE_URL, the address of a server of that cluster'
  check.addIssue({ code: 'custom', path: ['CLICKHOUSE_CLUSTER'], message })
})
  .superRefine(({ HOST, TRUSTED_PROXIES, ALLOW_PLAIN_HTTP }, check) => {
    if (isLoopback(HOST) || TRUSTED_PROXIES.length > 0 || ALLOW_PLAIN_HTTP === 'true') return
    const message =
      `${HOST} is reachable over plain HTTP, so passwords would be sent unencrypted. Put a proxy with TLS in front of it ` +
      'and add its address to TRUSTED_PROXIES, or set ALLOW_PLAIN_HTTP=true if the network itself is safe'
    check.addIssue({ code: 'custom', path: ['HOST'], message })
  })
  .superRefine(({ AGENTS_LISTEN, AGENTS_TLS_CERT, AGENTS_TLS_KEY, NATS_URL }, check) => {
    if (AGENTS_LISTEN === undefined) return
    const refuse = (name: string, message: string) => check.addIssue({ code: 'custom', path: [name], message })
    if (NATS_URL !== undefined)
      refuse('AGENTS_LISTEN', 'is only for the embedded NATS; with NATS_URL set, agents connect to that')
    if (!AGENTS_TLS_CERT)
      refuse('AGENTS_TLS_CERT', `must name a certificate file, because agents only connect over TLS. ${howToMakeOne}`)
    if (!AGENTS_TLS_KEY) refuse('AGENTS_TLS_KEY', 'must name the key file of that certificate')
  })

/** Help for users without a certificate; agents then need it too, because they trust no unknown server. */
const howToMakeOne =
  'Use one issued for the name of this machine, or create one: openssl req -x509 -newkey ec ' +
  '-pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 825 -subj /CN=host.example.com ' +
  '-addext subjectAltName=DNS:host.example.com -keyout agents.key -out agents.crt, and start agents with NATS_CA=agents.crt'

/** Address for agents on other machines, and the certificate files of the server. */
export type AgentsListen = { host: string; port: number; cert: string; key: string }

/** The environment, with the defaults of deploy/OPERATIONS.md. */
export type Config = {
  port: number
  host: string
  /** The data folder: embedded stores, keys, logs. */
  data: string
  /** True for made-up data (`npm start -- --demo`): every screen says so, and no email or webhook is sent. */
  isDemo: boolean
  adminPassword: string | undefined
  /** Encrypts secrets; without it there is a key file in the data folder. */
  secretKey: string | undefined
  bundles: (typeof bundles)[number][]
  databaseUrl: string | undefined
  clickhouseUrl: string | undefined
  /** Name of the cluster in ClickHouse's configuration; undefined for a single server. */
  clickhouseCluster: string | undefined
  natsUrl: string | undefined
  /** Seeds of the nkeys of this server and of agent 1, for `natsUrl`. */
  natsSeed: string | undefined
  agentSeed: string | undefined
  /** Undefined if only agents on this machine connect. */
  agentsListen: AgentsListen | undefined
  /** Addresses or networks of proxies whose `X-Forwarded-` headers count; none by default. */
  trustedProxies: string[]
  /** Path in front of ours, such as `/dataintell`, or ''; undefined if it isn't set. */
  basePath: string | undefined
  /** Address of Orchestration, a separate product, for users' browsers. */
  orchestrationUrl: string | undefined
  /** In addition to accounts of this product; none by default. */
  singleSignOn: SingleSignOn | undefined
  /** Address of the support contact for users. */
  supportUrl: string | undefined
  /** Identifies this product to Dropbox; without it no Dropbox can be added. */
  dropboxAppKey: string | undefined
  /** Address of Dropbox's API; different only in tests. */
  dropboxApi: string
  /** Address for access tokens of mail; set only in tests. */
  mailTokenUrl: string | undefined
  /** Address of Iconik, unless it is configured. */
  iconikUrl: string
  /** Defaults of the configuration of the transfer service. */
  sodaUrl: string | undefined
  sodaClientId: string | undefined
  sodaClientSecret: string | undefined
}

/** Reads the environment; throws one readable sentence with every invalid variable. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const secrets = readSecretFiles(environment, secretVariables)
  const read = Environment.safeParse(secrets.environment)
  const invalid = describeInvalid(secrets, read.error?.issues)
  if (!read.success || invalid !== undefined) throw new CannotStart(invalid)
  const env = read.data
  return {
    port: env.PORT,
    host: env.HOST,
    data: realPath(resolve(env.DATAINTELL_DATA)),
    isDemo: false,
    adminPassword: env.DATAINTELL_ADMIN_PASSWORD,
    secretKey: env.DATAINTELL_SECRET_KEY,
    bundles: env.DATAINTELL_BUNDLES,
    databaseUrl: env.DATABASE_URL,
    clickhouseUrl: env.CLICKHOUSE_URL,
    clickhouseCluster: env.CLICKHOUSE_CLUSTER,
    natsUrl: env.NATS_URL,
    natsSeed: env.NATS_SEED,
    agentSeed: env.AGENT_SEED,
    agentsListen: agentsListen(env),
    trustedProxies: env.TRUSTED_PROXIES,
    basePath: env.BASE_PATH,
    orchestrationUrl: env.DO_PUBLIC_URL,
    singleSignOn: singleSignOnOf(env),
    supportUrl: env.SUPPORT_URL,
    dropboxAppKey: env.DROPBOX_APP_KEY,
    dropboxApi: env.DROPBOX_API.replace(/\/+$/, ''),
    mailTokenUrl: env.MAIL_TOKEN_URL,
    iconikUrl: env.ICONIK_URL,
    sodaUrl: env.SODA_URL,
    sodaClientId: env.SODA_CLIENT_ID,
    sodaClientSecret: env.SODA_CLIENT_SECRET,
  }
}

/** Resolves links, so that a folder has one path under any name. The end of the path may not exist yet. */
const realPath = (path: string): string =>
  existsSync(path) || dirname(path) === path ? realpathSync(path) : join(realPath(dirname(path)), basename(path))

function agentsListen(env: z.output<typeof Environment>): AgentsListen | undefined {
  const [, host = '', port] = listens.exec(env.AGENTS_LISTEN ?? '') ?? []
  if (port === undefined) return undefined
  const [cert, key] = [resolve(env.AGENTS_TLS_CERT ?? ''), resolve(env.AGENTS_TLS_KEY ?? '')]
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port), cert, key }
}

/** BASE_PATH alone, for links in emails; undefined if it isn't set. */
export const basePathOf = ({ BASE_PATH }: NodeJS.ProcessEnv = process.env): string | undefined =>
  BASE_PATH ? BasePath.safeParse(BASE_PATH).data : undefined
