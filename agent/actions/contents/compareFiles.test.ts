import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { digestsOf, endBytes, notOnDisk } from '#events/actions/contents.ts'
import { nameFromBytes } from '#events/contract/fileNames.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { tryMountImage } from '../../testing/realMounts.ts'
import type { Progress } from '../action.ts'
import type { Files } from '../runAction.ts'
import { type Crash, Crashed, type FileList, newFileList } from '../testing/fileList.ts'
import { compareFiles } from './compareFiles.ts'
import { newRateLimit } from './readDigests.ts'

const modified = 1_600_000_000
const size = 4 * endBytes

/** Content of 4 * `endBytes`, with another byte at each of these places. */
const content = (...changed: number[]): Buffer => {
  const bytes = Buffer.alloc(size, 7)
  for (const at of changed) bytes[at] = 8
  return bytes
}
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

const folder = testFolder('contents')
let folders = 0

/** Writes files of one set into a new folder, and returns them as they are planned after a scan. */
function set(files: Record<string, Buffer | ((path: string) => void)>) {
  const root = join(folder, String(++folders))
  mkdirSync(root)
  const names = Object.keys(files)
  for (const name of names) {
    const path = join(root, name)
    const made = files[name]!
    if (typeof made === 'function') made(path)
    else writeFileSync(path, made)
    if (typeof made !== 'function') utimesSync(path, modified, modified)
  }
  const planned = names.map((name) => {
    const made = files[name]!
    return { place: 'a set', path: join(root, name), size: typeof made === 'function' ? size : made.length, modified }
  })
  return { root, list: newFileList(planned), path: (name: string) => join(root, name) }
}

/** The link to a server that knows the files of this agent alone. */
function linkTo(list: FileList, crash?: Crash, onProgress?: (progress: Progress) => void): Files {
  const link = list.link(crash, onProgress)
  const endsOf = ({ reference }: { reference: string }) => digestsOf(reference).ends
  return {
    ...link,
    async *files(state) {
      for await (const files of link.files(state))
        yield files.map((file) => {
          const alike = list.listed.filter((one) => one.state !== 'failed' && endsOf(one) === endsOf(file))
          const isUnlike = new Set(alike.map(({ reference }) => digestsOf(reference).file)).size < 2
          return state === 'sent' && isUnlike ? { ...file, isUnlikeOthers: true } : file
        })
    },
  }
}

const fast = { bytesPerSecond: 1e12 }
type Options = { link?: Files; bytesPerSecond?: number; onDiskOnly?: boolean; signal?: AbortSignal }
const compare = (
  list: FileList,
  { link = linkTo(list), signal = new AbortController().signal, ...order }: Options = {},
) => compareFiles(link, { ...fast, ...order }, { agentId: 1, signal })

const wholes = ({ listed }: FileList) => listed.map(({ reference }) => digestsOf(reference).whole)
const reasons = ({ listed }: FileList) => listed.map(({ state, reason }) => (state === 'failed' ? reason : state))

test('files with equal ends are read in full, so that a difference in the middle is found', async () => {
  const { list } = set({ a: content(), b: content(2 * endBytes), c: content() })
  await compare(list)
  expect(wholes(list)).toEqual([content(), content(2 * endBytes), content()].map(sha256))
})

test('files with a unique first or last 64 KB are not read further', async () => {
  const { list } = set({ a: content(), b: content(endBytes - 1), c: content(size - endBytes), d: content(endBytes) })
  await compare(list)
  expect(wholes(list)).toEqual([sha256(content()), '', '', sha256(content(endBytes))])
  expect(new Set(list.listed.map(({ reference }) => digestsOf(reference).ends)).size).toBe(3)
  expect(reasons(list)).toEqual(['done', 'done', 'done', 'done'])
})

test('a file of up to 128 KB is read once, in full', async () => {
  const small = [Buffer.from('x'), Buffer.alloc(2 * endBytes, 1)]
  const { list } = set({ a: small[0]!, b: small[1]! })
  await compare(list)
  expect(wholes(list)).toEqual(small.map(sha256))
})

test('a sparse file has the content of the zeros that it represents', async () => {
  const { list, path } = set({
    sparse: (path) => {
      writeFileSync(path, '')
      truncateSync(path, size)
    },
    zeros: Buffer.alloc(size),
  })
  utimesSync(path('sparse'), modified, modified)
  await compare(list)
  expect(wholes(list)).toEqual([sha256(Buffer.alloc(size)), sha256(Buffer.alloc(size))])
})

const btrfs = tryMountImage('mkfs.btrfs -q')

test.runIf(btrfs)('copies that were made as reflinks have the same content and share all of it', async () => {
  const names = ['a', 'b', 'c', 'copy']
  const paths = names.map((name) => join(btrfs!, name))
  writeFileSync(paths[0]!, content())
  for (const path of paths.slice(1))
    execFileSync('cp', [`--reflink=${path.endsWith('copy') ? 'never' : 'always'}`, paths[0]!, path])
  execFileSync('sync', ['-f', btrfs!])
  for (const path of paths) utimesSync(path, modified, modified)
  const list = newFileList(
    names.map((name) => ({ place: 'a set', path: join(btrfs!, name), pathInStorage: `/${name}`, size, modified })),
  )
  await compare(list, { onDiskOnly: true })
  expect(wholes(list)).toEqual(paths.map(() => sha256(content())))
  expect(list.listed.map(({ reference }) => digestsOf(reference).shared)).toEqual([size, size, size, 0])
})

const bytesRead = () => Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])
const isLinux = process.platform === 'linux'

test.runIf(isLinux)('files that are not on disk are not read, unless the order includes them', async () => {
  const long = 64 * 1_024 * 1_024
  const migrated = (beginning: Buffer) => (path: string) => {
    writeFileSync(path, beginning)
    truncateSync(path, long)
    utimesSync(path, modified, modified)
  }
  const { root, list: here } = set({ tape: migrated(Buffer.alloc(0)), stub: migrated(content()), own: content() })
  const planned = here.listed.map(({ path, size }) => ({ path, size: path.endsWith('own') ? size : long }))
  const newList = () => newFileList(planned.map((file) => ({ ...file, place: root, modified })))
  const list = newList()
  const before = bytesRead()
  await compare(list, { onDiskOnly: true })
  expect(bytesRead() - before).toBeLessThan(long)
  expect(reasons(list)).toEqual([notOnDisk, notOnDisk, 'done'])
  const included = newList()
  await compare(included)
  expect(reasons(included)).toEqual(['done', 'done', 'done'])
})

test('hard links of a file are one file, which is not read in full for the sake of the other name', async () => {
  const { list, path } = set({ a: content(), b: () => {} })
  linkSync(path('a'), path('b'))
  await compare(list)
  const [a, b] = list.listed.map(({ reference }) => digestsOf(reference))
  expect(a?.file).toBe(b?.file)
  expect(a?.file).toMatch(/^1-\d+-\d+$/)
  expect(wholes(list)).toEqual(['', ''])
})

test('a hard-linked file with a copy is read once for all of its names', async () => {
  const { list, path } = set({ a: content(), b: () => {}, copy: content() })
  linkSync(path('a'), path('b'))
  let bytes = 0
  const count = ({ bytesInProgress = 0 }: Progress) => {
    if (bytesInProgress === size) bytes += size
  }
  await compare(list, { link: linkTo(list, undefined, count) })
  expect(wholes(list)).toEqual([content(), content(), content()].map(sha256))
  expect(bytes).toBe(2 * size)
})

test('files that changed since the scan, or are not regular files, are listed with the reason and never as equal', async () => {
  const { list, path } = set({
    gone: content(),
    longer: content(),
    newer: content(),
    folder: (path) => mkdirSync(path),
    link: (path) => symlinkSync('gone', path),
    pipe: (path) => void execFileSync('mkfifo', [path]),
    empty: Buffer.alloc(0),
    fine: content(),
  })
  rmSync(path('gone'))
  appendFileSync(path('longer'), 'x')
  utimesSync(path('newer'), modified, modified + 1)
  await compare(list)
  expect(reasons(list)).toEqual([
    'The file no longer exists',
    `The file has ${size + 1} bytes instead of ${size}: it has changed since the scan. Scan it again`,
    'The file was modified since the scan. Scan it again',
    'This is not a file, but a folder, a link or a device',
    'This is not a file, but a link',
    'This is not a file, but a folder, a link or a device',
    'The file is empty, so there is nothing to compare',
    'done',
  ])
  expect(wholes(list).slice(0, 7).join('')).toBe('')
})

test('a file that is written to while it is read has no result', async () => {
  const { list, path } = set({ a: content(), b: content() })
  const write = ({ bytesInProgress = 0 }: Progress) => {
    if (bytesInProgress === 0) return
    writeFileSync(path('a'), content(5))
    utimesSync(path('a'), modified, modified + 5)
  }
  await compare(list, { link: linkTo(list, undefined, write) })
  expect(reasons(list)[0]).toBe('The file changed while it was read. Try again when nothing writes to it')
  expect(reasons(list)[1]).toBe('done')
})

test('reading a file does not make it look used', async () => {
  const { list, path } = set({ a: content(), b: content() })
  for (const name of ['a', 'b']) utimesSync(path(name), modified - 1_000, modified)
  await compare(list)
  expect(statSync(path('a')).atimeMs).toBe((modified - 1_000) * 1_000)
})

test('a name that is not UTF-8 is read by its bytes', async () => {
  const bytes = Buffer.from([0x66, 0xe9, 0x6c])
  const { root } = set({})
  const path = Buffer.concat([Buffer.from(`${root}/`), bytes])
  writeFileSync(path, 'x')
  utimesSync(path, modified, modified)
  const list = newFileList([{ place: 'a set', path: `${root}/${nameFromBytes(bytes)}`, size: 1, modified }])
  await compare(list)
  expect(wholes(list)).toEqual([sha256(Buffer.from('x'))])
})

test.each([
  [1, 'before'],
  [1, 'after'],
  [2, 'before'],
  [2, 'after'],
] as const)(
  'after a crash at report %i, %s it was stored, files with a result are not read again',
  async (at, when) => {
    const { list } = set({ a: content(), b: content(), c: content(0) })
    await expect(compare(list, { link: linkTo(list, { at, when }) })).rejects.toThrow(Crashed)
    const ended = list.listed.filter(({ state }) => state === 'done').map(({ path }) => path)
    for (const path of ended) rmSync(path)
    await compare(list)
    expect(reasons(list)).toEqual(['done', 'done', 'done'])
    expect(wholes(list)).toEqual([sha256(content()), sha256(content()), ''])
  },
)

test('a cancelled comparison stops in the middle of a file', async () => {
  const { list } = set({ a: content(), b: content() })
  const controller = new AbortController()
  const cancel = ({ bytesInProgress = 0 }: Progress) => {
    if (bytesInProgress > 0) controller.abort(new Error('cancelled'))
  }
  const link = linkTo(list, undefined, cancel)
  await expect(compare(list, { link, signal: controller.signal })).rejects.toThrow('cancelled')
  expect(reasons(list)).toEqual(['sent', 'sent'])
})

test('everyone who reads shares the limit of bytes per second', async () => {
  const { take } = newRateLimit()
  const { signal } = new AbortController()
  const start = performance.now()
  await Promise.all([1, 2, 3, 4].map(() => take(50_000, 1_000_000, signal)))
  expect(performance.now() - start).toBeGreaterThanOrEqual(195)
  const controller = new AbortController()
  const waiting = take(1_000_000_000, 1, controller.signal)
  controller.abort(new Error('cancelled'))
  await expect(waiting).rejects.toThrow('aborted')
})
