import { expect, test } from 'vitest'
import { ScanFailed } from '../system.ts'
import { forever } from '../testing.ts'
import { keepBaseline } from './index.ts'
import { errorBody, fillTree, smartConnectName } from './simulator/index.ts'
import {
  type Changes,
  cluster,
  finish,
  linesOf,
  liveState,
  nothingSent,
  open,
  orderOf,
  readParts,
  scan,
  stateOf,
} from './testing.ts'

const failed = errorBody('AEC_EXCEPTION', 'Internal error')
const logins = /^POST \/session/

/** The reason why a scan can't be done, which must not hold the password. */
async function failure(scanning: Promise<unknown>): Promise<string> {
  const error: unknown = await scanning.catch((error: unknown) => error)
  expect(error).toBeInstanceOf(ScanFailed)
  expect(JSON.stringify([String(error), (error as Error).stack])).not.toContain('planted')
  return (error as Error).message
}

test('a wrong password is tried once', async () => {
  const simulator = await cluster()
  const reason = await failure(scan(simulator, { order: { password: 'planted' } }))
  expect(reason).toMatch(/does not accept the user name or the password of scan\. Check the credentials/)
  expect(simulator.matching(logins)).toHaveLength(1)
  expect(simulator.requests.length).toBe(1)
})

test('a session that ends during a scan is renewed, with any body of the answer', async () => {
  for (const unauthorizedAs of ['html', 'json'] as const) {
    const simulator = await cluster({ switches: { unauthorizedAs } })
    fillTree(simulator.tree, 1_000)
    const system = await open(simulator)
    const sent = nothingSent()
    const left = await readParts(system, sent, [''], 20)
    simulator.clock.advance(15_000)
    await finish(system, sent, left)
    expect(linesOf(stateOf(sent))).toEqual(linesOf(liveState(simulator)))
    expect(simulator.matching(logins)).toHaveLength(2)
    expect(simulator.sessions.openCount).toBe(0)
  }
})

test('a cookie that replaces another one is used, so that a scan keeps its session', async () => {
  const simulator = await cluster({ switches: { timeOfRequest: 30 } })
  fillTree(simulator.tree, 2_000)
  await scan(simulator)
  expect(simulator.matching(logins)).toHaveLength(1)
})

test('a second 401 after a renewal ends the scan, and no other sign-in is tried', async () => {
  const simulator = await cluster()
  simulator.faults.failNext(/^GET \/namespace/, 401, failed, 100)
  expect(await failure(scan(simulator))).toMatch('does not accept the user name or the password')
  expect(simulator.matching(logins).length).toBeLessThanOrEqual(2)
})

test('the session is closed when a scan fails, and releases without the second cookie are fine', async () => {
  const simulator = await cluster({ switches: { sendsCsrfCookie: false } })
  expect(await failure(scan(simulator, { order: { path: '/ifs/none' } }))).toMatch(/\/ifs\/none/)
  expect(simulator.sessions.openCount).toBe(0)
})

test('a certificate is verified, or compared with a fingerprint', async () => {
  const simulator = await cluster()
  const { fingerprint } = simulator
  const reasonFor = (order: NonNullable<Changes['order']>) => failure(scan(simulator, { order }))
  expect(await reasonFor({ fingerprint: '' })).toBe(
    `The certificate of ${simulator.host} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). If its SHA-256 fingerprint ${fingerprint} is the one of this server, enter it in the settings.`,
  )
  const other = fingerprint.replaceAll(/[0-9A-F]/g, 'A')
  expect(await reasonFor({ fingerprint: other })).toMatch(`Its SHA-256 fingerprint is ${fingerprint}.`)
  expect(simulator.requests.length).toBe(0)
  await scan(simulator, { order: { fingerprint: fingerprint.replaceAll(':', '').toLowerCase() } })
  const trusted = { certificate: { ca: simulator.ca } }
  await scan(simulator, { order: { fingerprint: '' }, transport: trusted, scanId: 2 })
})

test('a name is resolved once and kept for the certificate', async () => {
  const simulator = await cluster()
  fillTree(simulator.tree, 300)
  let lookups = 0
  const resolve = ((_: string, __: object, found: (error: null, addresses: object[]) => void) => {
    lookups++
    found(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '127.0.0.2', family: 4 },
    ])
  }) as never
  const host = `${smartConnectName}:${simulator.host.split(':')[1]}`
  const transport = { resolve, certificate: { ca: simulator.ca } }
  await scan(simulator, { order: { host, fingerprint: '' }, transport })
  expect(lookups).toBe(1)
  expect(simulator.requests[0]?.headers['host']).toBe(host)
})

test('cloud metadata addresses get no request, and a host must be valid', async () => {
  const simulator = await cluster()
  const reasonFor = (host: string) => failure(scan(simulator, { order: { host } }))
  expect(await reasonFor('169.254.169.254')).toMatch('cloud metadata address')
  for (const host of ['', 'a/b', 'user@host', 'a b', 'host:99999'])
    expect(await reasonFor(host)).toMatch('is not a host')
})

test('a service that is switched off, a license and a privilege are named', async () => {
  const simulator = await cluster()
  const { switches } = simulator
  const reasonFor = () => failure(scan(simulator, { order: { isDelta: false } }))
  switches.isPlatformOn = false
  expect(await reasonFor()).toMatch('Enable the HTTP service "Platform-API-External"')
  Object.assign(switches, { isPlatformOn: true, isNamespaceOn: false })
  expect(await reasonFor()).toMatch('Enable the HTTP service "RAN"')
  for (const license of ['Unlicensed', 'Expired'] as const) {
    Object.assign(switches, { isNamespaceOn: true, license })
    expect(await reasonFor()).toMatch('The SnapshotIQ license is missing or has expired. Activate SnapshotIQ')
  }
  switches.license = 'Evaluation'
  await scan(simulator, { scanId: 3 })
})

test.each(['ISI_PRIV_SNAPSHOT', 'ISI_PRIV_NS_IFS_ACCESS'] as const)(
  'a user without %s gets its name',
  async (privilege) => {
    const simulator = await cluster({ users: [{ username: 'scan', password: 'secret', without: [privilege] }] })
    expect(await failure(scan(simulator))).toMatch(`The role of the user needs ${privilege}`)
  },
)

test('a cluster that is busy, fails or disconnects is retried', async () => {
  const simulator = await cluster()
  fillTree(simulator.tree, 500)
  const { faults } = simulator
  faults.failNext(/^POST \/platform/, 200, errorBody('AEC_TRANSIENT', 'The cluster is busy. Try again.'))
  faults.loseAnswer(/^POST \/platform\/1\/snapshot/, { skip: 1 })
  faults.failNext(/^GET \/namespace/, 503, { errors: [{ message: 'busy' }] }, 2)
  faults.failNext(/^GET \/namespace/, 500, failed, { skip: 3 })
  faults.resetNext(/^GET \/namespace/, 20, { skip: 5 })
  const sent = await scan(simulator)
  expect(linesOf(stateOf(sent))).toEqual(linesOf(liveState(simulator)))
  expect(simulator.snapshots.all()).toHaveLength(1)
})

test('the snapshot of a baseline is kept alive, as long as it exists', async () => {
  const simulator = await cluster()
  const { baseline = '' } = await scan(simulator, { order: { fullSnapshotDays: 2 } })
  const keep = (order = {}) => keepBaseline(orderOf(simulator, order), `digest ${baseline}`, forever)
  expect(baseline.length).toBeLessThan(1_000)
  const [snapshot] = simulator.snapshots.all()
  const daysLeft = () => Math.round(((snapshot?.expires ?? 0) - Date.now() / 1_000) / 86_400)
  expect(daysLeft()).toBe(2)
  expect(await keep()).toBe(true)
  expect(daysLeft()).toBe(14)
  expect(await keep({ path: '/ifs' })).toBe(false)
  simulator.snapshots.delete(snapshot!)
  expect(await keep()).toBe(false)
  expect(await keepBaseline(orderOf(simulator), 'none', forever)).toBe(false)
  expect(simulator.sessions.openCount).toBe(0)
})
