import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import files from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import koffi from 'koffi'
import { describe, expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { tryMount } from '#agent/testing/realMounts.ts'
import { reasonsOf, statesOf } from '../testing/attempts.ts'
import type { FileList } from '../testing/fileList.ts'
import { createAlike } from './entries.ts'
import { again, carryOut, orderOf, plan, run, type TestStorage, testStorage } from './testing/storage.ts'

const libc = koffi.load('libc.so.6')
const setxattr = libc.func('int setxattr(const char *, const char *, void *, size_t, int)')
const listxattr = libc.func('intptr_t listxattr(const char *, void *, size_t)')
const getxattr = libc.func('intptr_t getxattr(const char *, const char *, void *, size_t)')

/** All extended attributes of a file, among them its ACL, in hex. */
function attributesOf(path: string): Record<string, string> {
  const names = Buffer.alloc(4_096)
  const length = Number(listxattr(path, names, names.length))
  const value = Buffer.alloc(4_096)
  return Object.fromEntries(
    names
      .subarray(0, length)
      .toString()
      .split('\0')
      .flatMap((name) =>
        name === '' ? [] : [[name, value.toString('hex', 0, Number(getxattr(path, name, value, value.length)))]],
      ),
  )
}

/** An ACL with a named user and a mask, as `struct posix_acl_xattr_header` and its entries. */
const acl = Buffer.from(
  '02000000 01000600ffffffff 02000400e8030000 04000400ffffffff 10000600ffffffff 20000000ffffffff'.replaceAll(' ', ''),
  'hex',
)

type Undo = (storage: TestStorage, list: ReturnType<typeof plan>) => Promise<unknown>
const ways: [name: string, undo: Undo][] = [
  ['the product', (storage, list) => carryOut(storage, again(list), orderOf('putBack'))],
  ['dash', async (storage) => storage.undo('dash')],
  ['bash, forced', async (storage) => storage.undo('bash', '-f')],
]

describe.each(ways)('by %s', (_, undo) => {
  test('content, times, owner, mode, attributes and ACL are the same as before', async () => {
    const storage = testStorage()
    const paths = ['/a', '/d/b', '/d/e/c'].map((path) => storage.write(path, `${path}\0\n`.repeat(10_000)))
    for (const [n, path] of paths.entries()) {
      const file = String(storage.at(path))
      expect(setxattr(file, 'user.note', Buffer.from('it´s'), 5, 0)).toBe(0)
      expect(setxattr(file, 'trusted.note', Buffer.from([0, 1, 255]), 3, 0)).toBe(0)
      chownSync(file, 1_000 + n, 2_000 + n)
      chmodSync(file, 0o4640 + n)
      expect(setxattr(file, 'system.posix_acl_access', acl, acl.length, 0)).toBe(0)
      utimesSync(file, 1_500_000_000.25, 1_600_000_000.75)
    }
    const stateOf = (path: string) => {
      const { ctimeNs: _, ctimeMs: __, ctime: ___, ...stats } = lstatSync(storage.at(path), { bigint: true })
      return { ...stats, attributes: attributesOf(String(storage.at(path))) }
    }
    const before = paths.map(stateOf)
    expect(Object.keys(before[0]?.attributes ?? {}).toSorted()).toEqual([
      'system.posix_acl_access',
      'trusted.note',
      'user.note',
    ])
    const list = plan(storage, paths)
    await carryOut(storage, list, orderOf('move'))
    expect(statesOf(list)).toEqual(['done', 'done', 'done'])
    await undo(storage, list)
    expect(paths.map(stateOf)).toEqual(before)
    for (const path of paths) expect(readFileSync(storage.at(path), 'utf8')).toBe(`${path}\0\n`.repeat(10_000))
  })

  test('missing folders are created like the folder above', async () => {
    const storage = testStorage()
    const list = plan(storage, [storage.write('/d/e/a')])
    chownSync(storage.at('/d'), 1_000, 2_000)
    chmodSync(storage.at('/d'), 0o2750)
    await carryOut(storage, list, orderOf('move'))
    rmSync(storage.at('/d/e'), { recursive: true })
    await undo(storage, list)
    expect(storage.read('/d/e/a')).toBe('content of /d/e/a')
    expect(lstatSync(storage.at('/d/e'))).toMatchObject({ uid: 1_000, gid: 2_000, mode: 0o42750 })
  })
})

test('a link or folder that takes the place of a created folder gets no owner and no mode', async () => {
  const place = testFolder('place')
  chmodSync(place, 0o777)
  chownSync(place, 1_000, 1_000)
  const [victim, full] = [testFolder('victim'), testFolder('full')]
  writeFileSync(join(full, 'a'), '')
  for (const folder of [victim, full]) chmodSync(folder, 0o700)
  const folder = openSync(place, 'r')
  const exchanged: [name: string, take: (name: string) => void][] = [
    ['link', (name) => symlinkSync(victim, name)],
    ['full', (name) => renameSync(full, name)],
    ['others', (name) => (mkdirSync(name, 0o700), chownSync(name, 1_001, 1_001))],
  ]
  const { mkdir } = files
  for (const [name, take] of exchanged) {
    files.mkdir = (async (...args: Parameters<typeof mkdir>) => {
      await mkdir(...args)
      renameSync(join(place, name), join(place, `${name}.new`))
      take(join(place, name))
    }) as typeof mkdir
    syncBuiltinESMExports()
    await createAlike({ folder, name }).catch(() => {})
  }
  files.mkdir = mkdir
  syncBuiltinESMExports()
  closeSync(folder)
  expect(lstatSync(victim)).toMatchObject({ uid: process.geteuid?.(), mode: 0o40700 })
  expect(lstatSync(join(place, 'full'))).toMatchObject({ uid: process.geteuid?.(), mode: 0o40700 })
  expect(lstatSync(join(place, 'others'))).toMatchObject({ uid: 1_001, mode: 0o40700 })
})

/** Things in the way, with the reason. */
const inTheWay: [name: string, put: (storage: TestStorage) => unknown, reason: RegExp][] = [
  ['another file', ({ write }) => write('/d/a', 'new'), /There is something else at .*\/d\/a now/],
  ['a folder', ({ at }) => mkdirSync(at('/d/a')), /There is something else/],
  ['a link to nowhere', ({ at }) => symlinkSync('nowhere', at('/d/a')), /There is something else/],
  [
    'a file instead of its folder',
    ({ at }) => (rmSync(at('/d'), { recursive: true }), writeFileSync(at('/d'), '')),
    /is now a file/,
  ],
  [
    'a link instead of its folder',
    ({ at }) => (rmSync(at('/d'), { recursive: true }), symlinkSync(testFolder('outside'), at('/d'))),
    /is now a link/,
  ],
]
test.each(inTheWay)('%s in the way stays, and the others are put back', async (_, put, reason) => {
  const storage = testStorage()
  const list = plan(storage, [storage.write('/d/a'), storage.write('/b')])
  await carryOut(storage, list, orderOf('move'))
  put(storage)
  const script = spawnSync('sh', [storage.manifest], { encoding: 'utf8' })
  expect(script.stderr).toMatch(/^d\/a: (something else is in its place now|\.\/d is a link or a file now)/)
  expect(script).toMatchObject({ status: 1, stdout: 'Put back: 1. Left: 1.\n' })
  const back = await carryOut(storage, again(list), orderOf('putBack'))
  expect(back.listed[0]?.reason).toMatch(reason)
  expect(back.listed[1]).toMatchObject({ state: 'done', reason: '' })
  expect(readFileSync(storage.quarantined('/d/a'), 'utf8')).toBe('content of /d/a')
})

test('files in the way do not keep the others, and a second undo puts back the rest', async () => {
  const storage = testStorage()
  const list = plan(
    storage,
    ['/a', '/d/b', '/d/c', '/e'].map((path) => storage.write(path)),
  )
  await carryOut(storage, list, orderOf('move'))
  for (const path of ['/a', '/d/c']) storage.write(path, 'new')
  const inTheWay = (path: string) => expect.stringContaining(`something else at ${storage.root}${path} now`)
  const first = await carryOut(storage, again(list), orderOf('putBack'))
  expect(reasonsOf(first)).toEqual([inTheWay('/a'), '', inTheWay('/d/c'), ''])
  for (const path of ['/a', '/d/c']) {
    expect(storage.read(path)).toBe('new')
    rmSync(storage.at(path))
  }
  expect(reasonsOf(await carryOut(storage, again(list), orderOf('putBack')))).toEqual(['', '', '', ''])
  for (const path of ['/a', '/d/b', '/d/c', '/e']) expect(storage.read(path)).toBe(`content of ${path}`)
})

test('two runs that moved files of one path keep both, and the second to come back replaces nothing', async () => {
  const storage = testStorage()
  const moved = async (content: string, order: { run: string }) => {
    const list = plan(storage, [storage.write('/a', content)])
    return carryOut(storage, list, orderOf('move', order))
  }
  const [one, two] = [{ run: '1a2b3c4d-1' }, { run: '1a2b3c4d-2' }]
  const [first, second] = [await moved('first', one), await moved('second', two)]
  const back = async (list: FileList, order: object) =>
    reasonsOf(await carryOut(storage, again(list), orderOf('putBack', order)))
  expect(await back(second, two)).toEqual([''])
  expect(await back(first, one)).toEqual([expect.stringMatching(/There is something else/)])
  expect(storage.read('/a')).toBe('second')
  rmSync(storage.at('/a'))
  expect(await back(first, one)).toEqual([''])
  expect(storage.read('/a')).toBe('first')
})

test('a file that two runs take at once is moved by one of them, or stays', async () => {
  for (let round = 0; round < 5; round++) {
    const storage = testStorage()
    const paths = Array.from({ length: 20 }, (_, n) => storage.write(`/d/${n}`))
    const runs = ['1a2b3c4d-1', '1a2b3c4d-2'].map((run) => ({ run, list: plan(storage, paths) }))
    await Promise.all(runs.map(({ run, list }) => carryOut(storage, list, orderOf('move', { run }))))
    const movedBy = paths.map((_, n) => runs.filter(({ list }) => list.listed[n]?.state === 'done').length)
    expect(movedBy).toEqual(paths.map((path) => (existsSync(storage.at(path)) ? 0 : 1)))
    for (const { list } of runs) expect(list.listed.every(({ state, reason }) => state === 'done' || reason)).toBe(true)
    for (const { run, list } of runs) await carryOut(storage, again(list), orderOf('putBack', { run }))
    for (const path of paths) expect(storage.read(path)).toBe(`content of ${path}`)
  }
})

test('the script runs from anywhere, also after a stop between its two steps', async () => {
  const storage = testStorage()
  const list = plan(
    storage,
    ['/d/a', '/b', '/c'].map((path) => storage.write(path)),
  )
  await carryOut(storage, list, orderOf('move'))
  execFileSync('ln', [String(storage.quarantined('/b')), String(storage.at('/b'))])
  const cwd = join(storage.root, '.dataintell-quarantine')
  const first = spawnSync('dash', [`${run}.sh`], { cwd, encoding: 'utf8' })
  expect(first).toMatchObject({ status: 0, stderr: '', stdout: 'Put back: 2. Left: 0.\n' })
  expect(readdirSync(storage.root).toSorted()).toEqual(['.dataintell-quarantine', 'b', 'c', 'd'])
  expect(statesOf(await carryOut(storage, again(list), orderOf('putBack')))).toEqual(['done', 'done', 'done'])
})

test('the script leaves what differs, unless it is forced', async () => {
  const storage = testStorage()
  const list = plan(storage, [storage.write('/a')])
  await carryOut(storage, list, orderOf('move'))
  // As a copy of the storage has it.
  rmSync(storage.quarantined('/a'))
  writeFileSync(storage.quarantined('/a'), 'copy')
  const script = spawnSync('sh', [storage.manifest], { encoding: 'utf8' })
  expect(script).toMatchObject({ status: 1, stdout: 'Put back: 0. Left: 1.\n' })
  expect(script.stderr).toMatch(/^a: differs from the file that was moved/)
  expect(storage.undo('sh', '-f')).toBe('Put back: 1. Left: 0.\n')
  expect(storage.read('/a')).toBe('copy')
})

// It refuses to rename without replacing, as NFS does.
const program = tryMount((image, point) => [`mkdir ${image}`, `bindfs ${image} ${point}`])
test.runIf(program)('a file system that can not rename without replacing', async () => {
  const storage = testStorage(program)
  const list = plan(storage, [storage.write('/d/a'), storage.write('/b')])
  await carryOut(storage, list, orderOf('move'))
  expect(reasonsOf(list)).toEqual(['', ''])
  storage.write('/b', 'new')
  const back = await carryOut(storage, again(list), orderOf('putBack'))
  expect(reasonsOf(back)).toEqual(['', expect.stringMatching(/There is something else/)])
  expect(readFileSync(storage.at('/b'), 'utf8')).toBe('new')
  rmSync(storage.at('/b'))
  expect(reasonsOf(await carryOut(storage, again(list), orderOf('putBack')))).toEqual(['', ''])
})
