import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig as readAgentConfig } from '#agent/config.ts'
import { readConfig } from '#server/config.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { createSecrets } from './secrets.ts'
import { type Compose, environmentHere, readCompose, secretOf, type Service } from './testing/composeFile.ts'
import { productVariables } from './testing/productVariables.ts'
import { faultsBySchema } from './testing/schema.ts'

const here = import.meta.dirname
const root = join(here, '../..')
const schema = join(here, 'testing/compose.schema.json')
const variables = { STORAGES: '/mnt', AGENTS_HOST: 'agents.example.com' }
const names = ['compose.yaml', 'compose.small.yaml', 'compose.agents.yaml']
const { compose: large } = readCompose('compose.yaml', variables)
const { compose: small } = readCompose('compose.small.yaml', variables)
const servicesOf = ({ services }: Compose) => Object.entries(services)
const ours = [...servicesOf(large), ...servicesOf(small)].filter(([, { build }]) => build !== undefined)
const wordOf = ({ command = [] }: Service) => command[0] ?? ''

test.each(names)('%s follows the specification of compose files', (name) => {
  const { raw } = readCompose(name, variables)
  expect(faultsBySchema(schema, raw)).toEqual([])
})

test('the schema refuses unknown keys and values of another type', () => {
  const wrong = { services: { a: { image: 'a', mem_limits: '1g', restart: 1 } } }
  expect(faultsBySchema(schema, wrong).join()).toMatch(/restart.*mem_limits|mem_limits.*restart/)
})

test('a folder to scan has to be named, since compose would create a missing one', () => {
  expect(() => readCompose('compose.yaml', {})).toThrow('STORAGES: Set STORAGES to the folder')
  expect(() => readCompose('compose.agents.yaml', variables)).not.toThrow()
})

test.each(ours)('%s has only variables that the product reads', (_, service) => {
  const known = productVariables[wordOf(service)] ?? []
  expect(Object.keys(service.environment).filter((name) => !known.includes(name))).toEqual([])
})

test('with the created secrets, every server and agent has a complete configuration', () => {
  const folder = testFolder('secrets')
  createSecrets(folder)
  for (const name of ['server1', 'server2']) {
    const config = readConfig(environmentHere(large.services[name]!, folder))
    expect(config).toMatchObject({
      host: '0.0.0.0',
      port: 8080,
      natsUrl: 'nats://nats:4222',
      trustedProxies: ['172.30.39.0/24'],
      natsSeed: expect.stringMatching(/^SU/),
      // The agent is a service of its own.
      agentSeed: undefined,
    })
    for (const key of ['databaseUrl', 'clickhouseUrl', 'secretKey', 'adminPassword'] as const)
      expect(config[key], key).toMatch(/.{16}/)
  }
  expect(readAgentConfig(environmentHere(large.services['agent']!, folder))).toMatchObject({
    agentId: 1,
    natsUrl: 'nats://nats:4222',
    seed: expect.stringMatching(/^SU/),
  })
  expect(readConfig(environmentHere(small.services['dataintell']!, folder))).toMatchObject({
    databaseUrl: undefined,
    clickhouseUrl: undefined,
    natsUrl: undefined,
  })
})

test('every secret is created by `npm run secrets`, declared, and mounted where a variable expects it', () => {
  const created = createSecrets(testFolder('secrets'))
  for (const [name, { file }] of Object.entries(large.secrets))
    expect([file, created]).toEqual([`./secrets/${name}`, expect.arrayContaining([name])])
  for (const [service, { secrets, environment, command = [] }] of servicesOf(large)) {
    const mounted = secrets.map(secretOf)
    for (const { name } of mounted) expect(Object.keys(large.secrets), service).toContain(name)
    const used = [...Object.values(environment), ...command].filter((value) => value.startsWith('/run/secrets/'))
    for (const path of used)
      expect(
        mounted.map(({ path }) => path),
        service,
      ).toContain(path)
    for (const { path } of mounted) if (path.startsWith('/run/secrets/')) expect(used, service).toContain(path)
  }
})

test.each([...servicesOf(large), ...servicesOf(small)])(
  '%s can write only to its volumes, gets no new privileges, and has a memory limit',
  (_, { read_only, cap_drop, cap_add, security_opt, mem_limit }) => {
    expect([read_only, cap_drop, security_opt]).toEqual([true, ['ALL'], ['no-new-privileges:true']])
    expect(mem_limit).toMatch(/^\d+[mg]$/)
    expect(['NET_BIND_SERVICE', 'DAC_READ_SEARCH']).toEqual(expect.arrayContaining(cap_add))
  },
)

// `on-failure` restarts none after a restart of the machine.
test.each([...servicesOf(large), ...servicesOf(small)])(
  '%s is started again after a failure and with the machine',
  (_, { restart }) => expect(['unless-stopped', 'always']).toContain(restart),
)

test('no store is reachable from outside, and only Caddy publishes ports', () => {
  expect(large.networks['stores']?.internal).toBe(true)
  for (const name of ['postgres', 'clickhouse', 'nats']) expect(large.services[name]?.networks).toEqual(['stores'])
  const published = servicesOf(large).filter(([, { ports }]) => ports.length > 0)
  expect(published.map(([name]) => name)).toEqual(['caddy'])
  expect(large.services['caddy']?.networks).not.toContain('stores')
  // The servers trust forwarding headers from this network.
  const trusted = servicesOf(large).filter(([, { networks }]) => networks.includes('front'))
  expect(trusted.map(([name]) => name)).toEqual(['caddy', 'server1', 'server2'])
  expect(small.services['dataintell']?.ports).toEqual(['127.0.0.1:8080:8080'])
})

test('services wait for those that they need, which have a check', () => {
  for (const [name, { depends_on }] of servicesOf(large))
    for (const [needed, { condition }] of Object.entries(depends_on)) {
      expect([name, needed, condition]).toEqual([name, needed, 'service_healthy'])
      expect(large.services[needed]?.healthcheck, needed).toBeDefined()
    }
})

// During the first start a temporary Postgres listens on the socket only, and ends when the tables are created.
test('Postgres is checked by TCP', () => {
  expect(large.services['postgres']?.healthcheck?.test.join(' ')).toContain('pg_isready -q -h 127.0.0.1')
})

test('networks and volumes that services use are declared', () => {
  for (const compose of [large, small])
    for (const [name, { networks, volumes }] of servicesOf(compose)) {
      for (const network of networks) expect(Object.keys(compose.networks), name).toContain(network)
      const named = volumes.map((volume) => volume.split(':')[0] ?? '').filter((source) => /^[\w-]+$/.test(source))
      for (const volume of named) expect(Object.keys(compose.volumes), name).toContain(volume)
      for (const volume of volumes.filter((volume) => volume.startsWith('./')))
        expect(existsSync(join(here, volume.split(':')[0] ?? '')), volume).toBe(true)
    }
})

test('two services never share a data folder', () => {
  const data = servicesOf(large).flatMap(([, { volumes }]) => volumes.filter((volume) => /^[\w-]+:/.test(volume)))
  expect(new Set(data).size).toBe(data.length)
})

test('Caddy knows every server', () => {
  const file = readFileSync(join(here, 'Caddyfile'), 'utf8')
  const servers = servicesOf(large).filter(([, service]) => wordOf(service) === 'server')
  const [, upstreams = ''] = /reverse_proxy (.*) \{/.exec(file) ?? []
  expect(upstreams.split(' ')).toEqual(servers.map(([name]) => `${name}:8080`))
  expect(file).toContain('health_uri /actuator/health/readiness')
})

const containerfile = join(root, 'deploy/container/Containerfile')

test.runIf(existsSync(containerfile))('image, port, volume and words are those of the Containerfile', () => {
  const image = readFileSync(containerfile, 'utf8')
  const program = readFileSync(join(root, 'deploy/container/dataintell'), 'utf8')
  expect(image).toMatch(/^EXPOSE 8080$/m)
  expect(image).toMatch(/^VOLUME \/data$/m)
  for (const [name, service] of ours) {
    const { context, dockerfile, target } = service.build!
    expect(join(here, context, dockerfile), name).toBe(containerfile)
    expect(image, name).toMatch(new RegExp(`^FROM .* AS ${target}$`, 'm'))
    expect(program, name).toMatch(new RegExp(`^  ${wordOf(service)}\\)$`, 'm'))
    const [check = '', ...words] = service.healthcheck?.test.slice(1) ?? ['dataintell', 'health']
    expect([check, words[0]], name).toEqual(['dataintell', 'health'])
    if (wordOf(service) !== 'agent') expect(service.volumes.join(), name).toContain(':/data')
  }
  expect(program).toContain('  health)')
})
