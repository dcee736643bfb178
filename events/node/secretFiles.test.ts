import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig as readAgentConfig } from '#agent/config.ts'
import { readConfig } from '#server/platform/config.ts'
import { testFolder } from '#server/platform/testing/stores.ts'

const folder = testFolder('secrets')
let files = 0
function file(text: string): string {
  const path = join(folder, `${++files}`)
  writeFileSync(path, text)
  return path
}
const url = 'postgres://dataintell:p ss:/@postgres:5432/dataintell'
const seed = `SU${'A'.repeat(56)}`

test('a server reads each of its secrets from a file', () => {
  const key = 'k'.repeat(32)
  const config = readConfig({
    DATABASE_URL_FILE: file(url),
    CLICKHOUSE_URL_FILE: file('http://clickhouse:8123'),
    NATS_URL_FILE: file('nats://nats:4222'),
    NATS_SEED_FILE: file(seed),
    AGENT_SEED_FILE: file(seed),
    DATAINTELL_SECRET_KEY_FILE: file(key),
    DATAINTELL_ADMIN_PASSWORD_FILE: file('of the administrator'),
    SODA_CLIENT_SECRET_FILE: file('of the service'),
    OIDC_ISSUER: 'https://idp.example.com',
    OIDC_CLIENT_ID: 'dataintell',
    OIDC_CLIENT_SECRET_FILE: file('of the provider'),
  })
  expect(config).toMatchObject({
    databaseUrl: url,
    clickhouseUrl: 'http://clickhouse:8123',
    natsUrl: 'nats://nats:4222',
    natsSeed: seed,
    agentSeed: seed,
    secretKey: key,
    adminPassword: 'of the administrator',
    sodaClientSecret: 'of the service',
    singleSignOn: { clientSecret: 'of the provider' },
  })
})

test.each(['\n', '\r\n', '\n\n', ''])('an editor may end the file with %j', (end) => {
  expect(readConfig({ DATABASE_URL_FILE: file(`${url}${end}`) }).databaseUrl).toBe(url)
  expect(readConfig({ DATAINTELL_ADMIN_PASSWORD_FILE: file(` a b ${end}`) }).adminPassword).toBe(' a b ')
})

test('a file that cannot be used is named with its variable, and all problems at once', () => {
  const directory = join(folder, 'directory')
  mkdirSync(directory)
  const [empty, blank] = [file(''), file('\n')]
  const read = () =>
    readConfig({
      DATABASE_URL: url,
      DATABASE_URL_FILE: file(url),
      CLICKHOUSE_URL_FILE: join(folder, 'missing'),
      NATS_URL_FILE: directory,
      NATS_SEED_FILE: empty,
      AGENT_SEED_FILE: blank,
      PORT: 'high',
    })
  expect(read).toThrow(
    [
      'Invalid environment variables: DATABASE_URL_FILE: DATABASE_URL is also set. Remove one of them',
      `CLICKHOUSE_URL_FILE: ${folder}/missing cannot be read (ENOENT)`,
      `NATS_URL_FILE: ${directory} cannot be read (EISDIR)`,
      `NATS_SEED_FILE: ${empty} is empty`,
      `AGENT_SEED_FILE: ${blank} is empty`,
      'PORT: Invalid input: expected number, received NaN',
    ].join('; '),
  )
})

test('an empty variable does not count, as compose files pass those that are not set', () => {
  expect(readConfig({ DATABASE_URL: '', DATABASE_URL_FILE: file(url) }).databaseUrl).toBe(url)
  expect(readConfig({ DATABASE_URL: url, DATABASE_URL_FILE: '' }).databaseUrl).toBe(url)
})

test('messages about a secret show the variable and not the secret', () => {
  const secret = 'hunter2-of-the-administrator'
  const messageOf = (read: () => unknown): string => {
    try {
      read()
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }
  const server = messageOf(() => readConfig({ NATS_SEED_FILE: file(secret), AGENT_SEED: secret }))
  expect(server).toBe(
    'Invalid environment variables: NATS_SEED_FILE: must be the seed of an nkey, which starts with SU; AGENT_SEED: must be the seed of an nkey, which starts with SU',
  )
  const agent = messageOf(() => readAgentConfig({ NATS_URL: 'nats://nats:4222', AGENT_SEED_FILE: file(secret) }))
  expect(agent).toBe(
    'Invalid environment variables: AGENT_SEED_FILE: must be the seed of an agent, which starts with SU',
  )
})

test('an agent reads its secrets from files, too', () => {
  const environment = { NATS_URL_FILE: file('nats://nats:4222\n'), AGENT_SEED_FILE: file(`${seed}\n`) }
  expect(readAgentConfig(environment)).toMatchObject({ natsUrl: 'nats://nats:4222', seed })
  expect(() => readAgentConfig({ ...environment, NATS_URL_FILE: join(folder, 'missing') })).toThrow(
    /^Invalid environment variables: NATS_URL_FILE: \S+ cannot be read \(ENOENT\)$/,
  )
})
