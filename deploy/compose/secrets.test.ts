import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nkeys } from 'nats'
import { expect, test } from 'vitest'
import { natsAccounts } from '#server/platform/nats/agentDoor.ts'
import { certificate } from '#agent/simulator/certificate.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { admitAgent, createSecrets, requireTls } from './secrets.ts'

const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8')
const newKey = () => nkeys.createUser().getPublicKey()

test('secrets are in a folder that only its owner enters, and containers of any user read the files', () => {
  const folder = join(testFolder('secrets'), 'new')
  const created = createSecrets(folder)
  expect(readdirSync(folder).sort()).toEqual(created.toSorted())
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  for (const name of created) expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o644])
})

test('no two secrets are equal, none ends with a line feed, and addresses contain the passwords', () => {
  const folder = testFolder('secrets')
  createSecrets(folder)
  const secrets = [
    'postgres_password',
    'clickhouse_password',
    'nats_seed',
    'agent_seed',
    'secret_key',
    'admin_password',
  ]
  const values = secrets.map((name) => read(folder, name))
  expect(new Set(values).size).toBe(secrets.length)
  for (const value of values) expect(value).toMatch(/^[\w-]{20,}$/)
  expect(new URL(read(folder, 'database_url')).password).toBe(read(folder, 'postgres_password'))
  expect(new URL(read(folder, 'clickhouse_url')).password).toBe(read(folder, 'clickhouse_password'))
  expect(read(folder, 'nats_configuration')).not.toContain('"SU')
})

test('a second run keeps the secrets and adds missing ones', () => {
  const folder = testFolder('secrets')
  createSecrets(folder)
  const before = readdirSync(folder).map((name) => [name, read(folder, name)])
  expect(createSecrets(folder)).toEqual([])
  expect(readdirSync(folder).map((name) => [name, read(folder, name)])).toEqual(before)
})

test('an agent is added with the block that the settings show, to the same file, which a container has mounted', () => {
  const folder = testFolder('secrets')
  createSecrets(folder)
  const { ino } = statSync(join(folder, 'nats_configuration'))
  const [denver, paris] = [newKey(), newKey()]
  const block = (agentId: number, publicKey: string) =>
    JSON.stringify({ accounts: natsAccounts([{ agentId, publicKey }]) })
  expect(admitAgent(folder, block(7, denver))).toEqual([1, 7])
  expect(admitAgent(folder, block(3, paris))).toEqual([1, 3, 7])
  const replaced = newKey()
  expect(admitAgent(folder, block(7, replaced))).toEqual([1, 3, 7])
  const { accounts } = JSON.parse(read(folder, 'nats_configuration'))
  expect(accounts).toMatchObject({
    AGENT_3: { users: [{ nkey: paris }] },
    AGENT_7: { users: [{ nkey: replaced }] },
    DATAINTELL: { jetstream: 'enabled', users: [{ nkey: expect.stringMatching(/^U/) }] },
  })
  expect(statSync(join(folder, 'nats_configuration')).ino).toBe(ino)
  expect(() => admitAgent(folder, '{"accounts":{"DATAINTELL":{}}}')).toThrow('The text has no agent')
})

test('TLS needs the certificate, and stays when an agent is added', () => {
  const folder = testFolder('secrets')
  createSecrets(folder)
  expect(() => requireTls(folder)).toThrow('Missing: nats_cert, nats_key')
  writeFileSync(join(folder, 'nats_cert'), certificate.cert)
  writeFileSync(join(folder, 'nats_key'), certificate.key, { mode: 0o600 })
  requireTls(folder)
  expect(statSync(join(folder, 'nats_key')).mode & 0o777).toBe(0o644)
  admitAgent(folder, JSON.stringify({ accounts: natsAccounts([{ agentId: 7, publicKey: newKey() }]) }))
  expect(JSON.parse(read(folder, 'nats_configuration')).tls).toEqual({
    cert_file: '/run/secrets/nats_cert',
    key_file: '/run/secrets/nats_key',
    timeout: 5,
  })
})
