import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import type { ScanEvent } from '#events/scans/lifecycle.ts'
import type { ScanOrder } from '#events/sources/scanOrder.ts'
import { testFolder, testNats, testNatsServer } from '#server/platform/testing/stores.ts'
import { readConfig } from './config.ts'
import { openConnection } from './connection.ts'
import { readMachine } from './machine.ts'
import { openMounts } from './systems/network-mount/index.ts'
import { mountsBelow } from './systems/network-mount/mountShare.ts'
import { secret, shareOf, useMountOf, useNotingMount, whyNoMounts } from './systems/network-mount/testing.ts'
import { systemsWith } from './systems/index.ts'
import { startTasks } from './tasks.ts'
import { pathOf } from './testing/decodeRows.ts'
import { takeScans } from './testing/sentScans.ts'
import { serverSide } from './testing/serverSide.ts'
import { orderOf } from './testing/walked.ts'

const nats = await testNats()
const scans = await takeScans(nats)
await scans.takeBatches()
const server = await serverSide(nats, 1)
server.answer()

const state = realpathSync(testFolder('state'))
const log = pino({ level: 'silent' })
const { url: natsUrl } = await testNatsServer()
const config = { ...readConfig({ NATS_URL: natsUrl }), state }
const run = 'a run'
const connection = await openConnection(config, { run, machine: readMachine(state, run) }, log)
const mounts = await openMounts(state, log, { SMB: ['tmpfs'], NFS: [] })
const tasks = startTasks({ connection, systems: systemsWith(mounts, state), state })
afterAll(async () => {
  await tasks.stop()
  await connection.nats.close()
})
afterEach(() => vi.unstubAllEnvs())

const share = testFolder('share')
mkdirSync(join(share, 'shows/first'), { recursive: true })
for (const file of ['above', 'shows/one', 'shows/first/two']) writeFileSync(join(share, file), file)

const onShare = (scanId: number, changes: Partial<ScanOrder> = {}, path = '/shows'): ScanOrder =>
  orderOf('', { scanId, source: { kind: 'networkShare', mount: shareOf(), path }, ...changes })
/** Waits until the share is mounted and the scan waits for its pending folders, which are never sent. */
async function untilWaiting(scanId: number): Promise<string> {
  const isWaiting = (event: ScanEvent) => event.type === 'progressed' && event.progress.directories === 2
  const event = () => scans.events(scanId).find((event) => event.type === 'failed' || isWaiting(event))
  await scans.until(event)
  expect(event()).not.toHaveProperty('reason')
  const [point = ''] = await mountsBelow(state)
  return point
}
const untilUnmounted = () => expect.poll(() => mountsBelow(state)).toEqual([])

test('a share that cannot be mounted fails the scan with the reason', async () => {
  useNotingMount('echo "mount error(13): Permission denied" >&2; exit 32')
  await server.queue(10, onShare(100))
  expect(await scans.untilSaid(100, 'failed')).toMatchObject({
    reason: expect.stringContaining('The user name or the password for //nas.example.com/media is wrong'),
  })
  expect(scans.rows(100)).toEqual([])
})

const reason = whyNoMounts()
describe.skipIf(reason)(`a share that is really mounted${reason ? `: not tried, ${reason}` : ''}`, () => {
  test('is scanned below its mount, reports the space of the share, and is unmounted', async () => {
    useMountOf(share)
    await server.queue(20, onShare(200))
    expect(await scans.untilComplete(200)).toMatchObject({ capacity: { fileSystem: '//nas.example.com/media' } })
    expect(scans.rows(200).map(pathOf).sort()).toEqual(['', '/first', '/first', '/first/two', '/one', ''].sort())
    await untilUnmounted()
    expect(JSON.stringify(scans.events(200))).not.toContain(secret)
  })

  test('fails the scan when it disappears meanwhile, and nothing is reported as deleted', async () => {
    useMountOf(share)
    await server.queue(30, onShare(300, { morePending: 1 }))
    execFileSync('umount', ['-l', await untilWaiting(300)])
    expect(await scans.untilSaid(300, 'failed')).toMatchObject({
      reason: '//nas.example.com/media was unmounted while it was scanned',
    })
    expect(scans.events(300).map(({ type }) => type)).not.toContain('completed')
  })

  test('is unmounted when its scan is cancelled', async () => {
    useMountOf(share)
    await server.queue(40, onShare(400, { morePending: 1 }))
    expect(await untilWaiting(400)).toContain(state)
    await server.cancel(40)
    await scans.untilSaid(400, 'cancelled')
    await untilUnmounted()
  })

  test('fails with its own name if the scanned folder does not exist', async () => {
    useMountOf(share)
    await server.queue(50, onShare(500, {}, '/gone'))
    expect(await scans.untilSaid(500, 'failed')).toMatchObject({
      reason: 'There is no folder /gone in //nas.example.com/media',
    })
    await untilUnmounted()
  })
})
