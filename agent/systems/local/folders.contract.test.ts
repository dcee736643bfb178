import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  constants,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bytesOfName } from '#events/contract/fileNames.ts'
import type { DecodedRow } from '#events/node/blocks/testing/decodeBlock.ts'
import { find, type FindEntry } from '#agent/testing/find.ts'
import { listed, listings } from '#agent/testing/listed.ts'
import { deepName, makeDeepTree, makeOddTree } from '#agent/testing/oddTree.ts'
import { withoutRights } from '#agent/testing/walkedWithoutRights.ts'
import { cases } from '#server/platform/testing/cases.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'
import { MissingFolder } from '../system.ts'
import { type ListFolder, nameOf } from './diskEntry.ts'
import { openLocal } from './index.ts'

const kinds: Record<number, string> = {
  [constants.S_IFREG]: 'f',
  [constants.S_IFDIR]: 'd',
  [constants.S_IFLNK]: 'l',
  [constants.S_IFIFO]: 'p',
  [constants.S_IFSOCK]: 's',
  [constants.S_IFCHR]: 'c',
  [constants.S_IFBLK]: 'b',
}
const asBytes = (text: unknown) => bytesOfName(String(text)).toString('latin1')
const byPath = (a: FindEntry, b: FindEntry) => (a.path < b.path ? -1 : 1)
const pathOf = ({ parent_path, name }: DecodedRow) => `${String(parent_path)}${String(name)}`
const isRoot = process.getuid?.() === 0

/** A row in the words of find. Access times of folders and links change by being looked at. */
function inWordsOfFind(row: DecodedRow): FindEntry {
  const kind = kinds[Number(row.mode) & constants.S_IFMT] ?? '?'
  return {
    path: asBytes(pathOf(row).slice(1)),
    kind,
    size: String(row.size),
    allocated: Number(row.allocated_size),
    links: String(row.link_count),
    inode: String(row.inode),
    device: String(row.device),
    user: String(row.owner),
    group: String(row.group),
    mode: (Number(row.mode) & 0o7777).toString(8),
    modified: String(row.modified),
    accessed: kind === 'd' || kind === 'l' ? '' : String(row.accessed),
    target: asBytes(row.link_target),
  }
}

/** All but the root, whose row is not of a listing. */
const foundIn = (root: string): FindEntry[] =>
  find(root, '-mindepth', '1')
    .map((entry) => ({ ...entry, accessed: 'dl'.includes(entry.kind) ? '' : entry.accessed }))
    .sort(byPath)

async function makeSpecialFiles(root: string): Promise<void> {
  execFileSync('mkfifo', [join(root, 'fifo')])
  const server = createServer().listen(join(root, 'socket'))
  onTestFinished(() => void server.close())
  await new Promise((listening) => server.once('listening', listening))
  if (!isRoot) return
  execFileSync('mknod', [join(root, 'characters'), 'c', '1', '3'])
  execFileSync('mknod', [join(root, 'blocks'), 'b', '4094', '1048575'])
  execFileSync('chown', ['12345:54321', join(root, 'fifo')])
}

/** Shows a folder, and does something when the first entry of it was shown; returns the names. */
function namesWhile(list: ListFolder, root: string, path: string, act: (first: string) => void): string[] {
  const names: string[] = []
  openLocal(root, list).list(path, (entry) => {
    names.push(nameOf(entry))
    if (names.length === 1) act(names[0] as string)
  })
  return names
}

/** So long that the names of a few hundred files are not all read at once. */
const longName = (n: number) => `${'long '.repeat(20)}${n}`

function filled(files: number, nameOf = longName): string {
  const root = testFolder()
  mkdirSync(join(root, 'folder'))
  for (let n = 0; n < files; n++) writeFileSync(join(root, 'folder', nameOf(n)), '')
  return root
}

const many = cases(5_000, 1_000_000)
/** A folder with very many entries, which is only read. */
const crowd = filled(many, String)

const openDescriptors = () => readdirSync('/proc/self/fd').length

describe.each(Object.keys(listings))('by %s', (way) => {
  const list = () => (listings[way] as () => ListFolder)()

  test('each entry of an odd tree is what find says that it is: names, links, dates, devices, sockets and pipes', async () => {
    const root = testFolder()
    makeOddTree(root)
    await makeSpecialFiles(root)
    const { rows, errors } = listed(root, list())
    expect(rows.map(inWordsOfFind).sort(byPath)).toEqual(foundIn(root))
    expect(errors).toEqual({})
  })

  test('one entry alone is what the listing of its folder shows of it, and the root is what a link to it leads to', () => {
    const root = testFolder()
    makeOddTree(root)
    symlinkSync(root, join(root, 'itself'))
    const system = openLocal(join(root, 'itself'), list())
    for (const row of listed(root, list()).rows) {
      const entry = system.entry(pathOf(row))
      expect(entry && [nameOf(entry), entry.linkTarget, entry.stat[8]]).toEqual([
        row.name,
        row.link_target,
        Number(BigInt(row.inode as number) & 0xffff_ffffn),
      ])
    }
    expect(system.entry('')?.stat[8]).toBe(statSync(root).ino % 2 ** 32)
    expect(system.entry('/gone')).toBeUndefined()
    expect(system.entry('/other/sparse/below a file')).toBeUndefined()
  })

  test('folders that are deeper than a path may be long are listed, and leave nothing open', () => {
    const root = testFolder()
    makeDeepTree(root, 40)
    atEndOfFile(() => execFileSync('rm', ['-rf', join(root, deepName)]))
    const before = openDescriptors()
    const { rows, errors } = listed(root, list())
    expect(rows.map(pathOf).sort()).toEqual(
      Array.from({ length: 40 }, (_, depth) => `/${`${deepName}/`.repeat(depth)}`)
        .flatMap((folder) => [`${folder}${deepName}`, `${folder}${deepName}/file`])
        .sort(),
    )
    expect(errors).toEqual({})
    expect(openDescriptors()).toBe(before)
  })

  test('unreadable folders, and entries as far as their listing shows them, are listed with the reason', () => {
    const root = testFolder()
    for (const [name, mode] of Object.entries({ 'no rights': 0, 'only to enter': 0o111, 'only to list': 0o444 })) {
      mkdirSync(join(root, name, 'folder'), { recursive: true })
      writeFileSync(join(root, name, 'file'), 'some bytes')
      chmodSync(join(root, name), mode)
      atEndOfFile(() => chmodSync(join(root, name), 0o755))
    }
    const { rows, errors } = withoutRights<{ rows: unknown[][]; errors: object }>('printListed.ts', way, root)
    expect(errors).toEqual({
      '/no rights/': expect.stringMatching(/^Error: EACCES: permission denied/),
      '/only to enter/': expect.stringMatching(/^Error: EACCES: permission denied/),
      '/only to list/file': 'EACCES: permission denied',
      '/only to list/folder': 'EACCES: permission denied',
      '/only to list/folder/': expect.stringMatching(/^Error: EACCES: permission denied/),
    })
    expect(rows.map(([path, isDirectory]) => [path, isDirectory]).sort()).toEqual([
      ['/no rights', true],
      ['/only to enter', true],
      ['/only to list', true],
      ['/only to list/file', false],
      ['/only to list/folder', true],
    ])
  })

  test('a file that is removed after its folder was read is left out, and a replacement is shown', () => {
    const root = filled(700)
    const at = (name: string) => join(root, 'folder', name)
    let first = ''
    const names = namesWhile(list(), root, '/folder', (shown) => {
      first = shown
      for (const name of readdirSync(join(root, 'folder'))) if (name !== first) unlinkSync(at(name))
      for (const n of [1, 2, 3]) mkdirSync(at(longName(n)), { recursive: true })
    })
    const left = readdirSync(join(root, 'folder'))
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => !left.includes(name))).toEqual([])
    const { rows } = listed(root, list(), { path: '/folder' })
    const folders = rows.filter(({ is_directory }) => is_directory).map(({ name }) => name)
    expect(folders.sort()).toEqual([1, 2, 3].map(longName))
  })

  test('a folder that is removed while it is read ends there', () => {
    const root = filled(700)
    const names = namesWhile(list(), root, '/folder', () => {
      for (const name of readdirSync(join(root, 'folder'))) unlinkSync(join(root, 'folder', name))
      rmdirSync(join(root, 'folder'))
    })
    expect(names).toHaveLength(1)
    expect(() => listed(root, list())).not.toThrow()
  })

  test('a link, a file and nothing at the place of a folder are not there', () => {
    const root = filled(1)
    renameSync(join(root, 'folder'), join(root, 'elsewhere'))
    symlinkSync('elsewhere', join(root, 'folder'))
    writeFileSync(join(root, 'file'), '')
    const system = openLocal(root, list())
    for (const path of ['/folder', '/file', '/file/below', '/gone', '/gone/below'])
      expect(() => system.list(path, () => {})).toThrow(MissingFolder)
    expect(() => openLocal(join(root, 'gone'), list()).entry('')).toThrow('The storage cannot be read: ENOENT')
  })

  test('reports the creation time, or 0 if there is none', () => {
    const root = filled(1)
    const [file] = listed(root, list(), { path: '/folder' }).rows
    const { birthtimeNs } = statSync(join(root, 'folder', longName(0)), { bigint: true })
    expect(file?.created).toBe(Number(birthtimeNs / 1_000_000_000n))
    const { rows } = listed('/proc/sys', list(), { path: '/fs', deep: false })
    expect(rows.length).toBeGreaterThan(3)
    expect(rows.map(({ created }) => created)).toEqual(rows.map(() => 0))
  })

  test('a folder with very many entries shows each once, and what ends it in the middle leaves nothing open', () => {
    const seen = new Uint8Array(many)
    const system = openLocal(crowd, list())
    system.list('/folder', (entry) => {
      const number = Number(nameOf(entry))
      seen[number] = (seen[number] as number) + 1
    })
    expect(seen.indexOf(0)).toBe(-1)
    expect(seen.findIndex((times) => times > 1)).toBe(-1)
    const before = openDescriptors()
    let shown = 0
    const stop = () => {
      if (++shown === many / 2) throw new Error('Stopped')
    }
    expect(() => system.list('/folder', stop)).toThrow('Stopped')
    expect([shown, openDescriptors()]).toEqual([many / 2, before])
  })
})
