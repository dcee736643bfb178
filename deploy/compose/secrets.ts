import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { nkeys } from 'nats'
import { builtInAgent } from '#events/agents.ts'
import { natsConfiguration, readAdmission } from './natsConfiguration.ts'

/** Names of the files, which are also the names of the secrets in the compose file and in Kubernetes. */
const natsFile = 'nats_configuration'
const tlsFiles = ['nats_cert', 'nats_key']

/** In a folder that only its owner enters, see `createSecrets`. */
const secretMode = 0o644

/**
 * Creates the missing secrets of a deployment in a folder that only its owner can enter, and returns the names of the new
 * ones. In the folder all users may read the files: containers run as users of their own, and compose mounts a file with
 * the permissions that it has on the machine.
 */
export function createSecrets(folder: string): string[] {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  const created: string[] = []
  const make = (name: string, contents: () => string): string => {
    const file = join(folder, name)
    if (!existsSync(file)) {
      writeSecret(folder, name, contents())
      created.push(name)
    }
    return readFileSync(file, 'utf8').trim()
  }
  const postgres = make('postgres_password', password)
  make('database_url', () => `postgres://dataintell:${postgres}@postgres:5432/dataintell`)
  const clickhouse = make('clickhouse_password', password)
  make('clickhouse_url', () => `http://dataintell:${clickhouse}@clickhouse:8123/default`)
  make('clickhouse_users', () => clickHouseUsers(clickhouse))
  make('secret_key', password)
  make('admin_password', () => randomBytes(15).toString('base64url'))
  const [server, agent] = [make('nats_seed', seed), make('agent_seed', seed)]
  make(natsFile, () => {
    const agents = [{ agentId: builtInAgent, publicKey: publicKeyOf(agent) }]
    return natsConfiguration({ server: publicKeyOf(server), agents, hasTls: false })
  })
  return created
}

/**
 * Adds an agent to the configuration of NATS: `block` is the text that Settings > Agents shows for it. Returns the IDs of
 * all agents.
 */
export function admitAgent(folder: string, block: string): number[] {
  const { server, agents, hasTls } = readConfigured(folder)
  const added = readAdmission(block).agents
  if (added.length === 0) throw new Error('The text has no agent. Copy the block for NATS from Settings > Agents')
  const others = agents.filter(({ agentId }) => !added.some((one) => one.agentId === agentId))
  const all = [...others, ...added].toSorted((a, b) => a.agentId - b.agentId)
  writeSecret(folder, natsFile, natsConfiguration({ server, agents: all, hasTls }))
  return all.map(({ agentId }) => agentId)
}

/** Makes NATS require TLS with the certificate in the folder. Throws if it isn't there. */
export function requireTls(folder: string): void {
  const missing = tlsFiles.filter((name) => !existsSync(join(folder, name)))
  if (missing.length > 0)
    throw new Error(`Put the certificate and its key into ${folder} first. Missing: ${missing.join(', ')}`)
  for (const name of tlsFiles) chmodSync(join(folder, name), secretMode)
  writeSecret(folder, natsFile, natsConfiguration({ ...readConfigured(folder), hasTls: true }))
}

function readConfigured(folder: string) {
  const { server, ...others } = readAdmission(readFileSync(join(folder, natsFile), 'utf8'))
  if (server === undefined) throw new Error(`${join(folder, natsFile)} has no key of the server`)
  return { server, ...others }
}

/** Writes into an existing file, because a container keeps the file that it mounted. */
function writeSecret(folder: string, name: string, contents: string): void {
  const file = join(folder, name)
  writeFileSync(file, contents)
  chmodSync(file, secretMode)
}

/** Letters, digits, `-` and `_` only, so that it can be part of an address. */
const password = () => randomBytes(32).toString('base64url')

const seed = () => new TextDecoder().decode(nkeys.createUser().getSeed())

const publicKeyOf = (seed: string) => nkeys.fromSeed(new TextEncoder().encode(seed)).getPublicKey()

/** Users of ClickHouse, as a file for `users.d`: one for the product, and none without a password. */
const clickHouseUsers = (password: string) => `<clickhouse>
  <users>
    <default remove="remove"/>
    <dataintell>
      <password_sha256_hex>${createHash('sha256').update(password).digest('hex')}</password_sha256_hex>
      <networks><ip>::/0</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
    </dataintell>
  </users>
</clickhouse>
`

const usage = `npm run secrets -- FOLDER [--admit-agent < BLOCK] [--tls]

Creates the secrets of a deployment in FOLDER. Existing ones are kept.
  --admit-agent   adds the agent of the block for NATS that Settings > Agents shows, read from the standard input
  --tls           NATS requires TLS with the files nats_cert and nats_key in FOLDER`

if (import.meta.main) {
  const [path, option] = process.argv.slice(2)
  try {
    if (path === undefined || path.startsWith('--')) throw new Error(usage)
    runCommand(resolve(process.env['INIT_CWD'] ?? '.', path), option)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}

function runCommand(folder: string, option: string | undefined): void {
  const restart = 'Restart NATS to apply it: docker compose restart nats'
  if (option === undefined) {
    const created = createSecrets(folder)
    console.log(
      created.length === 0 ? `All secrets in ${folder} exist already` : `Created in ${folder}: ${created.join(', ')}`,
    )
    console.log(`The password of admin is in ${join(folder, 'admin_password')}. Keep a copy of secret_key elsewhere.`)
  } else if (option === '--admit-agent') {
    console.log(`NATS admits the agents ${admitAgent(folder, readFileSync(0, 'utf8')).join(', ')}. ${restart}`)
  } else if (option === '--tls') {
    requireTls(folder)
    console.log(`NATS requires TLS. ${restart}`)
  } else throw new Error(usage)
}
