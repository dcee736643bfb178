import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { PlannedFile } from '#events/actions/files.ts'
import { tryMount } from '#agent/testing/realMounts.ts'
import { reasonsOf, statesOf } from '../testing/attempts.ts'
import type { FileList } from '../testing/fileList.ts'
import { again, carryOut, orderOf, plan, run, type TestStorage, testStorage } from './testing/storage.ts'

const other = tryMount((_, point) => [`mount -t tmpfs none ${point}`])

/** Changes after the scan, with the reason for which the file stays. */
const changes: Record<string, [change: (storage: TestStorage) => unknown, reason: RegExp]> = {
  'it is gone': [({ at }) => unlinkSync(at('/d/a')), /no longer exists/],
  'its folder is gone': [({ at }) => rmSync(at('/d'), { recursive: true }), /no longer exists/],
  'its folder is a file now': [
    ({ at }) => (rmSync(at('/d'), { recursive: true }), writeFileSync(at('/d'), '')),
    /is now a file/,
  ],
  'its folder is a link now': [
    ({ at }) => (renameSync(at('/d'), at('/e')), symlinkSync('e', at('/d'))),
    /Its folder is now a link: .*\/d/,
  ],
  'it is a link now': [({ at }) => (renameSync(at('/d/a'), at('/d/b')), symlinkSync('b', at('/d/a'))), /a link/],
  'it is a folder now': [({ at }) => (unlinkSync(at('/d/a')), mkdirSync(at('/d/a'))), /a folder/],
  'it is a pipe now': [({ at }) => (unlinkSync(at('/d/a')), execFileSync('mkfifo', [String(at('/d/a'))])), /a device/],
  'another file has its name, size and time': [
    ({ at, write }) => (renameSync(at('/d/a'), at('/d/b')), write('/d/a')),
    /Another file/,
  ],
  'it is longer': [({ at }) => writeFileSync(at('/d/a'), 'x', { flag: 'a' }), /has 16 bytes instead of 15/],
  'it was modified': [({ at }) => writeFileSync(at('/d/a'), 'content of /d/b'), /modified since the scan/],
  'it was modified, and its time set again': [
    ({ write }) => write('/d/a', 'content of /d/b'),
    /changed after the scan/,
  ],
  'its mode was changed': [({ at }) => chmodSync(at('/d/a'), 0o600), /changed after the scan/],
  'it has a second name': [({ at }) => linkSync(at('/d/a'), at('/d/b')), /has 2 hard links, of which 1/],
  'its time is in the future': [
    ({ at }) => utimesSync(at('/d/a'), 4_000_000_000, 4_000_000_000),
    /modification date is unknown/,
  ],
}

describe('a file stays, and others are moved', () => {
  const moveOthers = async (storage: TestStorage, list: FileList, order = orderOf('move')) => {
    await carryOut(storage, list, order)
    expect(statesOf(list)).toEqual(['failed', 'done'])
    return list.listed[0]?.reason
  }
  const two = () => {
    const storage = testStorage()
    storage.write('/d/a')
    storage.write('/other')
    return { storage, list: plan(storage, ['/d/a', '/other']) }
  }

  test.each(Object.entries(changes))('if %s', async (_, [change, reason]) => {
    const { storage, list } = two()
    const order = orderOf('move')
    await wait(10)
    change(storage)
    expect(await moveOthers(storage, list, order)).toMatch(reason)
    expect(readFileSync(storage.manifest, 'utf8')).not.toContain('/d/a')
  })

  test.each<[string, Partial<PlannedFile>, RegExp]>([
    ['its path has ..', { pathInStorage: '/d/../d/a' }, /not a path in a storage/],
    ['its path has .', { pathInStorage: '/./d/a' }, /not a path in a storage/],
    ['its path is not in the storage', { pathInStorage: '/x' }, /not in its storage/],
    ['its inode is unknown', { inode: undefined }, /inode is unknown/],
    ['its number of links is unknown', { links: undefined }, /has 1 hard links/],
  ])('if %s', async (_, changed, reason) => {
    const { storage, list } = two()
    const [file] = list.listed
    Object.assign(file as object, changed)
    if (changed.pathInStorage?.includes('.'))
      Object.assign(file as object, { path: storage.root + changed.pathInStorage })
    expect(await moveOthers(storage, list)).toMatch(reason)
    expect(existsSync(storage.at('/d/a'))).toBe(true)
  })

  test('if it is in a quarantine, at any depth', async () => {
    const storage = testStorage()
    const list = plan(storage, [storage.write('/d/.dataintell-quarantine/x/a'), storage.write('/other')])
    expect(await moveOthers(storage, list)).toMatch(/is in a quarantine/)
  })

  test('if it is not in a folder that the agent may change', async () => {
    const { storage, list } = two()
    mkdirSync(storage.at('/e'))
    renameSync(storage.at('/other'), storage.at('/e/other'))
    const allowed = { ...storage, mayChange: [join(storage.root, 'e')] }
    const changed = plan(storage, ['/d/a', '/e/other'])
    expect(list.listed).toHaveLength(2)
    expect(await moveOthers(allowed as TestStorage, changed)).toMatch(/AGENT_MAY_CHANGE/)
  })

  test.each(['r', 'r+', 'in another process'])('if a program has it open, %s', async (way) => {
    const { storage, list } = two()
    const path = String(storage.at('/d/a'))
    const child =
      way.length > 2 ? spawn('sleep', ['60'], { stdio: [openSync(path, 'r'), 'ignore', 'ignore'] }) : undefined
    if (child) await once(child, 'spawn')
    const fd = child ? undefined : openSync(path, way)
    expect(await moveOthers(storage, list)).toBe('A program has the file open')
    if (fd !== undefined) closeSync(fd)
    child?.kill()
  })

  test('if a file of the same name is in quarantine', async () => {
    const { storage, list } = two()
    mkdirSync(join(storage.root, `.dataintell-quarantine/${run}/d`), { recursive: true, mode: 0o700 })
    chmodSync(join(storage.root, '.dataintell-quarantine'), 0o700)
    writeFileSync(storage.quarantined('/d/a'), 'planted')
    expect(await moveOthers(storage, list)).toMatch(/already in quarantine/)
    expect(readFileSync(storage.quarantined('/d/a'), 'utf8')).toBe('planted')
  })

  test('if its path is too long for a shell', async () => {
    const storage = testStorage()
    const names = Array.from({ length: 18 }, () => 'd'.repeat(230))
    const make = `${names.map((name) => `mkdir ${name}; cd -P ${name}`).join(';')}; printf x >a; touch -d @1700000000 a; stat -c %i a`
    const inode = execFileSync('dash', ['-c', `cd ${storage.root}; ${make}`], {
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim()
    const list = plan(storage, [storage.write('/x'), storage.write('/other')])
    const pathInStorage = `/${names.join('/')}/a`
    const deep = { pathInStorage, path: storage.root + pathInStorage, inode, size: 1, modified: 1_700_000_000 }
    Object.assign(list.listed[0] as object, deep)
    expect(await moveOthers(storage, list)).toMatch(/so long that a shell could not put it back/)
    execFileSync('rm', ['-rf', storage.root])
  })
})

describe.runIf(other)('mounts', () => {
  async function whileMounted(from: string, to: string, work: () => Promise<void>): Promise<void> {
    execFileSync('mount', ['--bind', from, to])
    await work().finally(() => execFileSync('umount', [to]))
  }
  test.each([
    ['another file on a file', '/d/a', '/other/a'],
    ['the same file on itself', '/d/a', '/d/a'],
    ['another folder on its folder', '/d', '/other'],
    ['the same folder on itself', '/d', '/d'],
  ])('of %s stay untouched', async (_, to, from) => {
    const storage = testStorage()
    storage.write('/d/a')
    storage.write('/other/a', 'content of /d/a')
    await whileMounted(String(storage.at(from)), String(storage.at(to)), async () => {
      const list = plan(storage, ['/d/a'], { crossesFileSystems: true })
      await carryOut(storage, list, orderOf('move'))
      expect(list.listed[0]?.reason).toMatch(/another file system|not included in the storage|mounted there/)
      expect(existsSync(storage.at('/d/a'))).toBe(true)
    })
  })

  test('of another file system stay untouched', async () => {
    const storage = testStorage()
    mkdirSync(storage.at('/d'))
    await whileMounted(other!, String(storage.at('/d')), async () => {
      const list = plan(storage, [storage.write('/d/a')], { crossesFileSystems: true })
      await carryOut(storage, list, orderOf('move'))
      expect(list.listed[0]?.reason).toMatch(/not included in the storage: another file system/)
    })
  })

  test('a mounted folder as the root of a storage is one file system', async () => {
    const storage = testStorage(other)
    const list = plan(storage, [storage.write('/m/a')])
    await carryOut(storage, list, orderOf('move'))
    expect(statesOf(list)).toEqual(['done'])
  })
})

test('all hard links of a file are moved, put back and deleted together', async () => {
  const storage = testStorage()
  storage.write('/a')
  mkdirSync(storage.at('/d'))
  for (const path of ['/b', '/d/c']) linkSync(storage.at('/a'), storage.at(path))
  const list = plan(storage, ['/a', '/b', '/d/c'])
  await carryOut(storage, list, orderOf('move'))
  expect(reasonsOf(list)).toEqual(['', '', ''])
  expect(storage.undo()).toBe('Put back: 3. Left: 0.\n')
  const second = await carryOut(storage, again(list), orderOf('move'))
  expect(reasonsOf(second)).toEqual(['', '', ''])
  const back = await carryOut(storage, again(list), orderOf('putBack'))
  expect(reasonsOf(back)).toEqual(['', '', ''])
  await carryOut(storage, again(list), orderOf('move'))
  expect(reasonsOf(await carryOut(storage, again(list), orderOf('delete')))).toEqual(['', '', ''])
  expect(readdirSync(storage.root).toSorted()).toEqual(['.dataintell-quarantine', 'd'])
})
