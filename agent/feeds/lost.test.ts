import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { tryMount } from '#agent/testing/realMounts.ts'
import { openBoundaries } from '../systems/local/boundaries.ts'
import { openWatcher } from './watchers/openWatcher.ts'
import { followed, followOrder, names, ways } from './testing.ts'

const folders = (root: string, count: number) => {
  for (let n = 0; n < count; n++) mkdirSync(join(root, String(n)))
}

test.skipIf(!ways.includes('inotify'))(
  'a full queue of events starts `since` again, and later changes are shown',
  async () => {
    const root = testFolder()
    folders(root, 3)
    const { feed, tick, quiet, server } = await followed(root, { way: 'inotify' })
    const { since } = feed.status()
    for (const name of ['0/file', '1/file']) writeFileSync(join(root, name), '')
    // Equal events next to each other would be joined.
    for (let n = 0; n < 9_000; n++)
      for (const name of ['0/file', '1/file']) chmodSync(join(root, name), 0o600 + (n % 2))
    tick()
    while (feed.status().state !== 'LIVE') tick(2_000)
    expect(feed.status()).toMatchObject({ reason: 'More changed at once than the system could report' })
    expect(feed.status().since).not.toEqual(since)
    writeFileSync(join(root, '2/later'), '')
    quiet()
    expect(server.state.entries.has('/2/later')).toBe(true)
  },
)

describe.each(ways)('%s', (way) => {
  test('a storage whose folder is replaced is not followed until its next scan', async () => {
    const storage = join(testFolder(), 'storage')
    mkdirSync(storage)
    folders(storage, 2)
    const { feed, tick, step, server, quiet } = await followed(storage, { way })
    writeFileSync(join(storage, '0/file'), '')
    renameSync(storage, `${storage}-before`)
    mkdirSync(storage)
    for (let n = 0; n < 30; n++) step()
    expect(feed.status()).toMatchObject({
      state: 'UNAVAILABLE',
      reason: expect.stringContaining('unmounted or replaced'),
    })
    expect(server.state.entries.has('/1')).toBe(true)
    feed.follow(followOrder(storage), names)
    while (feed.status().state !== 'LIVE') tick()
    writeFileSync(join(storage, 'new'), '')
    quiet()
    expect(server.state.entries.has('/new')).toBe(true)
  })

  test('a storage that is unmounted is not emptied, and is followed again once it is back', async () => {
    const kept = testFolder()
    folders(kept, 2)
    const point = tryMount((_, point) => [`mount --bind ${kept} ${point}`])
    if (point === undefined) return
    const { feed, step, quiet, tick, server } = await followed(point, { way })
    const known = () => [...server.state.entries.keys()].sort()
    execFileSync('umount', [point])
    writeFileSync(join(point, 'below'), '')
    for (let n = 0; n < 30; n++) step()
    expect(feed.status()).toMatchObject({ state: 'UNAVAILABLE' })
    expect(known()).toEqual(['/0', '/1'])
    execFileSync('mount', ['--bind', kept, point])
    for (let n = 0; n < 100 && feed.status().state !== 'LIVE'; n++) tick()
    expect(feed.status()).toMatchObject({ state: 'LIVE', reason: expect.stringContaining('unmounted or replaced') })
    writeFileSync(join(point, 'back'), '')
    quiet()
    expect(known()).toEqual(['/0', '/1', '/back'])
  })

  test('a file system that is mounted in the storage starts `since` again, and is left out as by a scan', async () => {
    const root = tryMount((_, point) => [`mount -t tmpfs -o size=9m files ${point}`])
    if (root === undefined) return
    folders(root, 2)
    const { feed, tick, quiet, server, differences } = await followed(root, { way })
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=9m', 'other', join(root, '0')])
    for (let n = 0; n < 30 || feed.status().state !== 'LIVE'; n++) tick()
    expect(feed.status()).toMatchObject({ reason: 'A file system in the storage was mounted or unmounted' })
    writeFileSync(join(root, '0/inside'), '')
    writeFileSync(join(root, 'file'), '')
    quiet()
    expect(server.state.entries.has('/0/inside')).toBe(false)
    expect(await differences()).toEqual([])
    execFileSync('umount', [join(root, '0')])
  })

  test('a server that is away, or asks to wait, receives the changes later, as they are then', async () => {
    const root = testFolder()
    folders(root, 2)
    const { step, quiet, differences, server } = await followed(root, { way })
    writeFileSync(join(root, '0/file'), '')
    for (let n = 0; n < 20; n++) step(100, () => undefined)
    rmSync(join(root, '0'), { recursive: true })
    for (let n = 0; n < 100; n++) step(100, () => ({ type: 'later', reason: 'A commit is running' }))
    expect(server.flushes).toEqual([])
    quiet()
    expect(await differences()).toEqual([])
  })

  test('another session receives what changed since its scan began, also if the clock was set back', async () => {
    const root = testFolder()
    folders(root, 2)
    const { feed, server, quiet, tick } = await followed(root, { way })
    writeFileSync(join(root, '0/before'), '')
    quiet()
    const baseStartedAt = new Date().toISOString()
    server.flushes.length = 0
    const { now } = Date
    Date.now = () => now() - 3_600_000
    writeFileSync(join(root, '1/while'), '')
    quiet()
    feed.follow(followOrder(root, { baseStartedAt }), names)
    tick()
    Date.now = now
    quiet()
    expect(server.flushes.at(-1)).toContain('/1')
    expect(server.flushes.length).toBeGreaterThan(1)
  })

  test('leaves out what a scan leaves out', async () => {
    const root = testFolder()
    for (const path of ['ignored/deep', 'only/deep', '.dataintell-quarantine/run', 'closed'])
      mkdirSync(join(root, path), { recursive: true })
    const rules = { ignoredPaths: ['/ignored', '*.tmp'], indexFolderOnlyPaths: ['/only'] }
    const { quiet, differences, server } = await followed(root, { way, ...rules })
    for (const path of ['ignored/deep', 'only/deep', '.dataintell-quarantine/run', 'closed'])
      writeFileSync(join(root, path, 'file'), 'x')
    writeFileSync(join(root, 'a.tmp'), '')
    mkdirSync(join(root, 'only/new'))
    chmodSync(join(root, 'closed'), 0o711)
    quiet()
    expect(await differences()).toEqual([])
    expect(server.flushes.flat().filter((path) => /ignored|quarantine/.test(path))).toEqual([])
  })
})

test.skipIf(!ways.includes('inotify'))(
  'says how many folders may be followed, and the commands that allow more',
  async () => {
    const root = testFolder()
    folders(root, 20)
    const { feed } = await followed(root, { way: 'inotify', maxWatches: 10 })
    const { state, reason } = feed.status()
    expect(state).toBe('UNAVAILABLE')
    expect(reason).toContain(
      'Of 21 folders, only 10 can be followed. Run "sysctl -w fs.inotify.max_user_watches=64", or',
    )
    expect(reason).toContain('setcap cap_sys_admin,cap_dac_read_search+ep ')
  },
)

test.each([
  ['nfs4', "nfs4 doesn't report changes by other machines"],
  ['fuse.sshfs', "A file system of the type fuse.sshfs doesn't report all changes"],
])('%s is not followed', (type, reason) => {
  const boundaries = { ...openBoundaries('/', false), types: () => new Map([['0:50', type]]) }
  const seen = { folderChanged() {}, lost() {} }
  const open = () => openWatcher({ realRoot: '/', boundaries, leavesOut: () => false, seen })
  expect(open).toThrow(reason)
})
