import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { createSecrets } from '../compose/secrets.ts'
import { productVariables } from '../compose/testing/productVariables.ts'

const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')
const [server, agent, readingOnly] = [
  read('dataintell-server.service'),
  read('../agent-package/dataintell-agent@.service'),
  read('reading-only.conf'),
]

/** Values of a setting, in order. */
const settings = (unit: string, name: string) =>
  unit.split('\n').flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []))

const lastOf = (unit: string, name: string) => settings(unit, name).at(-1)

/** The unit of an agent, alone or with the settings of the drop-in, whose last values win. */
const withDropIn = `${agent}\n${readingOnly}`

test('the server reads its secrets from credentials, and its unit has only variables that it knows', () => {
  const folder = testFolder('secrets')
  createSecrets(folder)
  const pairs = settings(server, 'Environment').map((pair) => [
    pair.split('=')[0] ?? '',
    pair.slice(pair.indexOf('=') + 1),
  ])
  const others = ['PATH', 'NODE_ENV', 'NODE_COMPILE_CACHE']
  const own = pairs.filter(([name = '']) => !others.includes(name))
  for (const [name] of own) expect(productVariables['server']).toContain(name)
  const files = own.flatMap(([, value = '']) => (value.startsWith('%d/') ? [value.slice(3)] : []))
  const loaded = settings(server, 'LoadCredential').map((line) => line.split(':'))
  expect(loaded).toEqual(files.map((name) => [name, `/etc/dataintell/secrets/${name}`]))
  const environment = Object.fromEntries(
    own.map(([name = '', value = '']) => [name, value.replace('%d', folder).replace('%S', folder)]),
  )
  const config = readConfig({ ...environment, NATS_URL: 'nats://nats.example.com:4222' })
  const { databaseUrl, clickhouseUrl, natsSeed, secretKey, adminPassword, agentSeed } = config
  for (const value of [databaseUrl, clickhouseUrl, natsSeed, secretKey, adminPassword]) expect(value).toMatch(/.{16}/)
  expect(agentSeed).toBeUndefined()
})

test('units are started again after a failure, as often as it takes', () => {
  expect(settings(server, 'Restart')).toEqual(['on-failure'])
  expect(settings(agent, 'Restart')).toEqual(['always'])
  for (const unit of [server, agent]) expect(settings(unit, 'StartLimitIntervalSec')).toEqual(['0'])
})

// A hidden folder looks like an empty one: a scan would report all its files as deleted.
test.each([agent, withDropIn])('no folder that may be a storage is hidden from an agent', (unit) => {
  expect([undefined, 'no', 'read-only']).toContain(lastOf(unit, 'ProtectHome'))
  expect([undefined, 'no']).toContain(lastOf(unit, 'PrivateTmp'))
  for (const name of ['DynamicUser', 'TemporaryFileSystem', 'InaccessiblePaths', 'RootDirectory', 'PrivateUsers'])
    expect(settings(unit, name)).toEqual([])
})

test('an agent of a user of its own reads all files, and writes only its own folder', () => {
  expect(lastOf(readingOnly, 'User')).toBe('dataintell-agent')
  expect(settings(readingOnly, 'CapabilityBoundingSet')).toEqual(['', 'CAP_DAC_READ_SEARCH'])
  expect(settings(readingOnly, 'AmbientCapabilities')).toEqual(['CAP_DAC_READ_SEARCH'])
  expect(lastOf(withDropIn, 'ProtectSystem')).toBe('strict')
  expect(settings(readingOnly, 'ReadWritePaths')).toEqual([])
  const [, command] = settings(readingOnly, 'ExecStart')
  expect(command).toContain('AGENT_SEED_FILE=%d/agent_seed')
  expect(command).toContain('AGENT_STATE=%S/dataintell-agent/%i')
})

/** True if a user without rights can enter a folder, and so run programs there. */
const canOthersEnter = (path: string): boolean =>
  (statSync(path).mode & 0o001) !== 0 && (path === '/' || canOthersEnter(dirname(path)))

const canBecomeOther =
  process.getuid?.() === 0 && [import.meta.dirname, dirname(process.execPath)].every(canOthersEnter)

test.runIf(canBecomeOther)(
  'with that capability, and not without it, another user than root reads the files of all users',
  () => {
    const folder = testFolder('others')
    chmodSync(folder, 0o755)
    mkdirSync(join(folder, 'private'), { mode: 0o700 })
    writeFileSync(join(folder, 'private/file'), 'x', { mode: 0o600 })
    const program = join(import.meta.dirname, '../../agent/testing/printWalk.ts')
    const asNobody = (capabilities: string) => {
      const sets = ['inh-caps', 'ambient-caps', 'bounding-set'].map((set) => `--${set}=-all${capabilities}`)
      const user = ['--reuid=65534', '--regid=65534', '--clear-groups', '--no-new-privs']
      const printed = execFileSync('setpriv', [...user, ...sets, process.execPath, program, folder], {
        encoding: 'utf8',
      })
      const { bytes, unreadable } = (JSON.parse(printed) as { counts: Record<string, number> }).counts
      return { bytes, unreadable }
    }
    expect(asNobody(',+dac_read_search')).toEqual({ bytes: 1, unreadable: 0 })
    expect(asNobody('')).toEqual({ bytes: 0, unreadable: 1 })
  },
)

test.each([server, agent, withDropIn])('units get no new privileges', (unit) => {
  expect(lastOf(unit, 'NoNewPrivileges')).toBe('yes')
  expect(lastOf(unit, 'SystemCallFilter')).toMatch(/^@system-service/)
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

test.runIf(hasSystemd)('systemd accepts the units and rates them as hardened', () => {
  const folder = testFolder('units')
  mkdirSync(join(folder, 'dataintell-agent'))
  writeFileSync(join(folder, 'dataintell-agent/dataintell-agent'), '#!/bin/sh\n', { mode: 0o755 })
  const here = (unit: string) => unit.replaceAll('@FOLDER@', folder).replaceAll('WorkingDirectory=/opt/dataintell', '')
  const units = {
    'dataintell-server.service': here(server),
    'dataintell-agent@7.service': here(agent),
    'dataintell-agent@8.service': here(withDropIn).replace('User=dataintell-agent', 'User=daemon'),
  }
  for (const [name, text] of Object.entries(units)) writeFileSync(join(folder, name), text)
  const files = Object.keys(units).map((name) => join(folder, name))
  expect(spawnSync('systemd-analyze', ['verify', ...files], { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  })
  const exposures = files.map((file) => {
    const table = execFileSync('systemd-analyze', ['security', '--offline=true', '--no-pager', file], {
      encoding: 'utf8',
    })
    return Number(/Overall exposure level for \S+: ([\d.]+)/.exec(table)?.[1])
  })
  // 0 is best, 10 worst. A service without any of these settings has 9.6.
  expect(exposures[0]).toBeLessThan(2)
  expect(exposures[1]).toBeLessThan(4)
  expect(exposures[2]).toBeLessThan(3)
})
