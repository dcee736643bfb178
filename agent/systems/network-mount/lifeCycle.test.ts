import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { openMounts } from './index.ts'
import { mountsBelow } from './mountShare.ts'
import { shareOf, useMountOf, whyNoMounts } from './testing.ts'

const reason = whyNoMounts()

const log = pino({ level: 'silent' })
const never = new AbortController().signal
const types = { SMB: ['tmpfs'], NFS: ['tmpfs'] }
const order = { volumeId: 7, mount: shareOf(), path: '/' }

const base = testFolder('share')
mkdirSync(join(base, 'shows'))
writeFileSync(join(base, 'shows/one'), '1')
symlinkSync('/etc', join(base, 'out'))
symlinkSync('shows', join(base, 'within'))

let state: string
let mounted: () => string[]
beforeEach(() => {
  state = realpathSync(testFolder('state'))
  mounted = useMountOf(base)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const point of await mountsBelow(state)) execFileSync('umount', ['-l', point])
})

describe.skipIf(reason)(`a share that is really mounted${reason ? `: not tried, ${reason}` : ''}`, () => {
  test('a share is mounted once for all who scan it, and as long as one of them does', async () => {
    const mounts = await openMounts(state, log, types)
    const [one, two] = await Promise.all([mounts.open(order, never), mounts.open({ ...order, path: '/shows' }, never)])
    expect(await mountsBelow(state)).toHaveLength(1)
    expect([one.name, two.name]).toEqual(['//nas.example.com/media', '//nas.example.com/media/shows'])
    await one.close()
    expect(readdirSync(two.root)).toEqual(['one'])
    await two.check()
    await two.close()
    expect(await mountsBelow(state)).toEqual([])
    expect(readdirSync(join(state, 'mounts'))).toEqual([])
    const again = await mounts.open(order, never)
    expect(mounted()).toHaveLength(2)
    await again.close()
  })

  test('shares of several storages, or of one that was changed meanwhile, are mounts of their own', async () => {
    const mounts = await openMounts(state, log, types)
    const shares = await Promise.all([
      mounts.open(order, never),
      mounts.open({ ...order, volumeId: 8 }, never),
      mounts.open({ ...order, mount: shareOf({ options: 'seal' }) }, never),
    ])
    expect(await mountsBelow(state)).toHaveLength(3)
    await Promise.all(shares.map((share) => share.close()))
    expect(await mountsBelow(state)).toEqual([])
  })

  test('another file system at the place of the share is refused and unmounted', async () => {
    const mounts = await openMounts(state, log)
    await expect(mounts.open(order, never)).rejects.toThrow(
      '//nas.example.com/media could not be mounted: tmpfs is mounted in its place',
    )
    expect(await mountsBelow(state)).toEqual([])
  })

  test('the scanned folder must exist, be a folder, and be on the share', async () => {
    const mounts = await openMounts(state, log, types)
    const says = (path: string) => mounts.open({ ...order, path }, never).catch((error: Error) => error.message)
    expect(await says('/gone')).toBe('There is no folder /gone in //nas.example.com/media')
    expect(await says('/shows/one')).toBe('There is no folder /shows/one in //nas.example.com/media')
    expect(await says('/out')).toBe('The folder /out leads out of //nas.example.com/media')
    const within = await mounts.open({ ...order, path: '/within' }, never)
    expect(readdirSync(within.root)).toEqual(['one'])
    await within.close()
    await mounts.settled()
    expect(await mountsBelow(state)).toEqual([])
  })

  test('a share that somebody unmounts is noticed, and nothing else is ever seen at its place', async () => {
    const mounts = await openMounts(state, log, types)
    const share = await mounts.open(order, never)
    const [point = ''] = await mountsBelow(state)
    execFileSync('umount', ['-l', point])
    execFileSync('mount', ['-t', 'tmpfs', 'another', point])
    expect(readdirSync(share.root)).toContain('shows')
    await expect(share.check()).rejects.toThrow('//nas.example.com/media was unmounted while it was scanned')
    if (!share.lost.aborted) await once(share.lost, 'abort')
    expect(String(share.lost.reason)).toContain('was unmounted')
    const anew = await mounts.open(order, never)
    expect(await mountsBelow(state)).toHaveLength(2)
    await anew.check()
    await Promise.all([share.close(), anew.close()])
    expect(await mountsBelow(state)).toEqual([])
  })

  test('one that is still in use is let go in the end', async () => {
    const mounts = await openMounts(state, log, types)
    const share = await mounts.open(order, never)
    const [cwd = ''] = await mountsBelow(state)
    const user = spawn('sleep', ['1000'], { cwd })
    await once(user, 'spawn')
    await share.close()
    expect(await mountsBelow(state)).toEqual([])
    expect(readdirSync(join(state, 'mounts'))).toEqual([])
    user.kill()
  })

  test('canceling a mount does not wait, and the share is unmounted later', async () => {
    mounted = useMountOf(base, 'sleep 1')
    const mounts = await openMounts(state, log, types)
    const cancelling = new AbortController()
    const opening = mounts.open(order, cancelling.signal)
    await expect.poll(mounted).toHaveLength(1)
    cancelling.abort(new Error('Cancelled'))
    await expect(opening).rejects.toThrow('Cancelled')
    await mounts.settled()
    expect(readdirSync(join(state, 'mounts'))).toEqual([])
  })

  test('mounts of a killed agent are unmounted and removed at the next start, and nothing else', async () => {
    const left = join(state, 'mounts/9-abcdef')
    mkdirSync(left, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', 'left', left])
    mkdirSync(join(left, 'below'))
    execFileSync('mount', ['-t', 'tmpfs', 'below', join(left, 'below')])
    mkdirSync(join(state, 'mounts/own'))
    writeFileSync(join(state, 'mounts/own/file'), '')
    mkdirSync(join(state, 'credentials/once-abc'), { recursive: true })
    const mounts = await openMounts(state, log)
    await mounts.settled()
    expect(await mountsBelow(state)).toEqual([])
    expect(existsSync(left)).toBe(false)
    expect(readdirSync(state)).toEqual(['mounts'])
    expect(existsSync(join(state, 'mounts/own/file'))).toBe(true)
  })
})
