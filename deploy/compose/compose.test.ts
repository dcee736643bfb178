import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig as readAgentConfig } from '#agent/config.ts'
import { readConfig } from '#server/platform/config.ts'
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
    const { databaseUrl, clickhouseUrl, secretKey, adminPassword } = config
    for (const value of [databaseUrl, clickhouseUrl, secretKey, adminPassword]) expect(value).toMatch(/.{16}/)
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
  for (const [name, { file }] of Object.entries(large.secrets)) {
    expect(file).toBe(`./secrets/${name}`)
    expect(created).toContain(name)
  }
  const isSecret = (path: string) => path.startsWith('/run/secrets/')
  for (const [service, { secrets, environment, command = [] }] of servicesOf(large)) {
    const mounted = secrets.map(secretOf)
    const paths = mounted.map(({ path }) => path).filter(isSecret)
    const used = [...Object.values(environment), ...command].filter(isSecret)
    expect([service, paths.sort()]).toEqual([service, used.sort()])
    expect(Object.keys(large.secrets)).toEqual(expect.arrayContaining(mounted.map(({ name }) => name)))
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
  for (const { depends_on } of Object.values(large.services))
    for (const [needed, { condition }] of Object.entries(depends_on)) {
      expect(condition).toBe('service_healthy')
      expect(large.services[needed]?.healthcheck).toBeDefined()
    }
})

// During the first start a temporary Postgres listens on the socket only, and ends when the tables are created.
test('Postgres is checked by TCP', () => {
  expect(large.services['postgres']?.healthcheck?.test.join(' ')).toContain('pg_isready -q -h 127.0.0.1')
})

test('networks, volumes and files that services use are there', () => {
  for (const compose of [large, small])
    for (const { networks, volumes } of Object.values(compose.services)) {
      const sources = volumes.map((volume) => volume.split(':')[0] ?? '')
      const named = sources.filter((source) => /^[\w-]+$/.test(source))
      const missing = sources.filter((source) => source.startsWith('./') && !existsSync(join(here, source)))
      expect(Object.keys(compose.networks)).toEqual(expect.arrayContaining(networks))
      expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(named))
      expect(missing).toEqual([])
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

test.runIf(existsSync(containerfile))('image, port, volume and words match the Containerfile', () => {
  const image = readFileSync(containerfile, 'utf8')
  const program = readFileSync(join(root, 'deploy/container/dataintell'), 'utf8')
  expect(image).toMatch(/^EXPOSE 8080$/m)
  expect(image).toMatch(/^VOLUME \/data$/m)
  for (const [, service] of ours) {
    const { context, dockerfile, target } = service.build!
    expect(join(here, context, dockerfile)).toBe(containerfile)
    expect(image).toMatch(new RegExp(`^FROM .* AS ${target}$`, 'm'))
    expect(program).toMatch(new RegExp(`^  ${wordOf(service)}\\)$`, 'm'))
    expect(service.healthcheck?.test ?? healthOfImage).toEqual(expect.arrayContaining(healthOfImage))
  }
  for (const [, { volumes }] of ours.filter(([, service]) => wordOf(service) !== 'agent'))
    expect(volumes.some((volume) => volume.endsWith(':/data'))).toBe(true)
  expect(program).toContain('  health)')
})

const healthOfImage = ['dataintell', 'health']
