import { readFileSync, readdirSync } from 'node:fs'
import { lstat, readdir, readlink } from 'node:fs/promises'
import { constants } from 'node:os'
import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { find } from './find.ts'
import { compiled, missingForSlowFs, mountSlowFs } from './slowFs.ts'

const run = promisify(execFile)
const reason = missingForSlowFs()
const { EIO, ESTALE } = constants.errno
/** Code of ESTALE in Node, which has no name for it. */
const stale = `Unknown system error -${ESTALE}`
/** An hour in microseconds: calls are never answered before the test ends. */
const hour = 3_600_000_000

const paths = (entries: { path: string }[]) => entries.map(({ path }) => path).toSorted()
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    ({ code }: NodeJS.ErrnoException) => code,
  )

describe.skipIf(reason)(`a slow file system${reason === undefined ? '' : `: ${reason}`}`, () => {
  test('has folders on two levels, links and a huge folder', async () => {
    const { mount } = await mountSlowFs({ folders: 3, files: 2, huge: 1, links: 1 })
    const found = find(mount)
    const inFolders = [0, 1, 2].flatMap((n) => [`t${n}`, `t${n}/d${n}`, `t${n}/d${n}/f0`, `t${n}/d${n}/f1`])
    expect(paths(found)).toEqual(['', 'huge', 'huge/f0', ...inFolders])
    const ofKind = (kind: string) => paths(found.filter((entry) => entry.kind === kind))
    expect(ofKind('l')).toEqual(['huge/f0', 't0/d0/f0', 't1/d1/f0', 't2/d2/f0'])
    expect(ofKind('f')).toEqual(['t0/d0/f1', 't1/d1/f1', 't2/d2/f1'])
    expect(await readlink(`${mount}/t1/d1/f0`)).toBe('f1')
  })

  test('has at most 50 top folders, and the same entries in each mount', async () => {
    const options = { folders: 120, files: 2, links: 1 }
    const [first, second] = [await mountSlowFs(options), await mountSlowFs(options)]
    const [found, again] = [first, second].map(({ mount }) => find(mount).map((entry) => ({ ...entry, device: '' })))
    expect(found).toEqual(again)
    expect(found!.filter(({ path }) => /^t\d+$/.test(path)).length).toBe(40)
    expect(found!.filter(({ kind }) => kind === 'd').length).toBe(1 + 40 + 120)
    expect(new Set(found!.map(({ inode }) => inode)).size).toBe(1 + 40 + 120 + 240)
  })

  test('lists a folder of many files', async () => {
    const { mount } = await mountSlowFs({ folders: 0, huge: 30_000 })
    const listed = readdirSync(`${mount}/huge`)
    expect(listed.toSorted()).toEqual(Array.from({ length: 30_000 }, (_, n) => `f${n}`).toSorted())
    expect((await lstat(`${mount}/huge/f29999`)).isFile()).toBe(true)
  })

  test('has no other names', async () => {
    const { mount } = await mountSlowFs({ folders: 100, files: 10 })
    expect((await lstat(`${mount}/t1/d2/f9`)).isFile()).toBe(true)
    const others = [
      't50',
      't01',
      'd0',
      'huge',
      't1/d1',
      't1/d4',
      't1/d02',
      't1/d2/f10',
      't1/d2/f',
      't1/d2/f1x',
      't1/d2/f-1',
    ]
    const codes = await Promise.all(others.map((name) => codeOf(lstat(`${mount}/${name}`))))
    expect(codes).toEqual(others.map(() => 'ENOENT'))
  })

  test('takes any number of calls at once, also in one folder, and delays each', async () => {
    const { mount, calls, unmount } = await mountSlowFs({ folders: 8, latency: hour })
    // In processes of their own: earlier tests of this one may still have calls under way, which take its threads.
    const stats = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => codeOf(run('stat', [`${mount}/t${n}`])))
    await expect.poll(calls).toEqual({ calls: 8, waiting: 8, mostWaiting: 8, hanging: 0 })
    await unmount()
    for (const code of await Promise.all(stats)) expect(code).not.toBe('none')
  })

  test('counts the calls of a walk', async () => {
    const { mount, calls } = await mountSlowFs({ folders: 4, files: 10, latency: 100 })
    expect(find(mount).length).toBe(1 + 4 + 4 + 40)
    const { calls: count, waiting, mostWaiting } = await calls()
    // Each entry is looked up, and each folder is opened and listed until its end.
    expect(count).toBeGreaterThanOrEqual(48 + 9 + 2 * 9)
    expect({ waiting, mostWaiting }).toEqual({ waiting: 0, mostWaiting: 1 })
    const together = await Promise.all([calls(), calls(), calls()])
    expect(together.map(({ calls }) => calls)).toEqual([count, count, count])
  })

  test('fails calls, then answers them', async () => {
    const fail = [
      // The kernel repeats a lookup that fails with ESTALE.
      { name: 'd1', errno: ESTALE, count: 4 },
      { name: 'd2/', errno: EIO, count: 1 },
    ]
    const { mount } = await mountSlowFs({ folders: 3, files: 2, latency: 100, fail })
    expect(await codeOf(lstat(`${mount}/t1/d1`))).toBe(stale)
    expect(await codeOf(lstat(`${mount}/t1/d1`))).toBe(stale)
    expect(await readdir(`${mount}/t1/d1`)).toEqual(['f0', 'f1'])
    expect((await lstat(`${mount}/t2/d2`)).isDirectory()).toBe(true)
    expect(await codeOf(readdir(`${mount}/t2/d2`))).toBe('EIO')
    expect(await readdir(`${mount}/t2/d2`)).toEqual(['f0', 'f1'])
  })

  test('never answers calls that hang, and unmounts while they do', async () => {
    const { mount, calls, unmount } = await mountSlowFs({ folders: 3, files: 2, hang: ['d1', 'd2/'] })
    const hanging = [codeOf(lstat(`${mount}/t1/d1`)), codeOf(readdir(`${mount}/t2/d2`))]
    await expect.poll(async () => (await calls()).hanging).toBe(2)
    expect((await lstat(`${mount}/t2/d2`)).isDirectory()).toBe(true)
    expect(await readdir(`${mount}/t0/d0`)).toEqual(['f0', 'f1'])
    await unmount()
    for (const code of await Promise.all(hanging)) expect(code).toMatch(/^ECONNABORTED|ENOTCONN$/)
    expect(readFileSync('/proc/self/mounts', 'utf8')).not.toContain(mount)
  })

  test('hangs as a whole while suspended', async () => {
    const { mount, suspend, resume } = await mountSlowFs({ folders: 1, files: 2 })
    suspend()
    const listed = readdir(`${mount}/t0/d0`)
    resume()
    expect(await listed).toEqual(['f0', 'f1'])
  })

  test('is gone when its server is killed, and unmounts', async () => {
    const { mount, kill, unmount } = await mountSlowFs({ folders: 1, hang: ['d0'] })
    const hanging = codeOf(lstat(`${mount}/t0/d0`))
    await kill()
    expect(await hanging).toMatch(/^ECONNABORTED|ENOTCONN$/)
    expect(await codeOf(readdir(mount))).toBe('ENOTCONN')
    await unmount()
    expect(readFileSync('/proc/self/mounts', 'utf8')).not.toContain(mount)
  })
})

test.skipIf(reason)('runs a command without io_uring', () => {
  const setUp = `const koffi = require('koffi')
    const syscall = koffi.load('libc.so.6').func('long syscall(long, long, void *)')
    syscall(425, 1, null)
    const errno = koffi.errno()
    process.stdout.write(String(errno))`
  const { EPERM, EFAULT } = constants.errno
  const run = (...command: [string, ...string[]]) =>
    spawnSync(command[0], [...command.slice(1), '-e', setUp], { encoding: 'utf8' }).stdout
  expect(Number(run(compiled('deny'), process.execPath))).toBe(EPERM)
  expect([EFAULT, EPERM]).toContain(Number(run(process.execPath)))
})
