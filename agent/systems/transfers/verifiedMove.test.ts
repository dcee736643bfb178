import {
  existsSync,
  linkSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type CopyRange, maxCopyBytes, maxCopyRanges, type RangeDigest } from '#events/actions/copies.ts'
import { digestRanges } from './digestRanges.ts'
import type { Readings } from './simulator/unconfirmed.ts'
import { reasonsOf, statesOf } from '../../actions/testing/attempts.ts'
import { type Fixture, move, numbered, run, withFiles } from './testing.ts'

/** Services whose lists prove nothing about the copies. */
const services: [string, Partial<Readings>][] = [
  ['lists sizes only', { checksums: 'absent' }],
  ['lists no files', { fileList: 'absent' }],
]

/** Runs a move of the files a and b, after `change` of the copy of a. */
async function movedAfter(change: (copy: string, fixture: Fixture) => void, readings: Partial<Readings>) {
  let isChanged = false
  const fixture: Fixture = await withFiles(['a', 'b'], {
    hasTarget: true,
    readings,
    onFile: (_, path, step) => {
      if (step === 'write' && path === '/incoming/b') isChanged = true
      if (isChanged) change(join(fixture.target!, 'incoming/a'), fixture)
    },
  })
  await run(fixture.transfers, fixture.list, { changes: move })
  const { folder, list } = fixture
  expect([statesOf(list), existsSync(join(folder, 'b'))]).toEqual([['failed', 'done'], false])
  return { ...fixture, isKept: existsSync(join(folder, 'a')), reason: reasonsOf(list)[0] }
}

const damages: [string, (copy: string, fixture: Fixture) => void, string][] = [
  ['has other bytes', (copy) => writeFileSync(copy, 'content of z'), '/incoming/a in the target has other content'],
  ['is missing', (copy) => rmSync(copy), '/incoming/a in the target is missing'],
  ['is cut', (copy) => truncateSync(copy, 5), 'has 5 bytes instead of 12'],
  ['is empty', (copy) => truncateSync(copy, 0), 'has 0 bytes instead of 12'],
  ['is longer', (copy) => writeFileSync(copy, 'content of a and more'), 'has 21 bytes instead of 12'],
  [
    'is a link to the source',
    (copy, { folder }) => {
      rmSync(copy)
      symlinkSync(join(folder, 'a'), copy)
    },
    '/incoming/a in the target is a link',
  ],
  [
    'is the source under another name',
    (copy, { folder }) => {
      rmSync(copy)
      linkSync(join(folder, 'a'), copy)
    },
    '/incoming/a in the target is the file itself',
  ],
  ['has another name', (copy) => renameSync(copy, `${copy} 1`), '/incoming/a in the target is missing'],
]

for (const [says, readings] of services)
  test.each(damages)(`of a service that ${says}, a copy that %s keeps its source`, async (_, damage, reason) => {
    let isDamaged = false
    const once = (copy: string, fixture: Fixture) => {
      if (!isDamaged) damage(copy, fixture)
      isDamaged = true
    }
    const moved = await movedAfter(once, readings)
    expect(moved.isKept).toBe(true)
    expect(moved.reason).toContain(reason)
  })

test('an altered copy keeps its source even if the service lists the checksum of the source', async () => {
  const { transfers, list, folder, target } = await withFiles(['a'], { hasTarget: true })
  const onFile = transfers.file.bind(transfers)
  await run(transfers, list, {
    changes: move,
    copies: (ranges) => {
      expect(onFile('st-2', '/incoming/a')?.size).toBe(12)
      writeFileSync(join(target!, 'incoming/a'), 'content of z')
      return digestRanges({ root: target!, ranges }, AbortSignal.timeout(60_000))
    },
  })
  expect(reasonsOf(list)).toEqual(['Copied, but not deleted: /incoming/a in the target has other content'])
  expect(existsSync(join(folder, 'a'))).toBe(true)
})

test('a renamed copy is compared under the name that the service lists', async () => {
  const fixture = await withFiles(['a', 'b'], { hasTarget: true, readings: { checksums: 'absent' } })
  fixture.transfers.addFile('st-2', '/incoming/a', 'another content')
  await run(fixture.transfers, fixture.list, { changes: { ...move, conflictHandling: 'RENAME' } })
  expect(statesOf(fixture.list)).toEqual(['done', 'done'])
  expect(readdirSync(fixture.folder)).toEqual([])
  expect(fixture.transfers.file('st-2', '/incoming/a 1')?.content.toString()).toBe('content of a')
})

test('without a list, a move with RENAME deletes sources whose copies have their names, and says why others stay', async () => {
  const fixture = await withFiles(['a', 'b'], { hasTarget: true, readings: { fileList: 'absent' } })
  fixture.transfers.addFile('st-2', '/incoming/a', 'another text')
  await run(fixture.transfers, fixture.list, { changes: { ...move, conflictHandling: 'RENAME' } })
  expect(statesOf(fixture.list)).toEqual(['failed', 'done'])
  expect(reasonsOf(fixture.list)[0]).toBe('Copied, but not deleted: /incoming/a in the target has other content')
  expect(readdirSync(fixture.folder)).toEqual(['a'])
  const clean = await withFiles(['a', 'b'], { hasTarget: true, readings: { fileList: 'absent' } })
  await run(clean.transfers, clean.list, { changes: { ...move, conflictHandling: 'RENAME' } })
  expect(statesOf(clean.list)).toEqual(['done', 'done'])
})

test('a copy that an agent sees later than the service is looked for again', async () => {
  const { transfers, list, folder, target } = await withFiles(['a', 'b'], {
    hasTarget: true,
    readings: { fileList: 'absent' },
  })
  const paths: string[][] = []
  const copies = (ranges: CopyRange[]): Promise<RangeDigest[]> => {
    paths.push(ranges.map(({ path }) => path))
    const later = ranges.map((range) =>
      paths.length < 3 && range.path.endsWith('a') ? { ...range, path: '/x' } : range,
    )
    return digestRanges({ root: target!, ranges: later }, AbortSignal.timeout(60_000))
  }
  const waits: number[] = []
  await run(transfers, list, { changes: move, copies, waits })
  expect(statesOf(list)).toEqual(['done', 'done'])
  expect(paths).toEqual([['/incoming/a', '/incoming/b'], ['/incoming/a'], ['/incoming/a']])
  expect(waits.filter((ms) => ms === 20_000)).toHaveLength(2)
  expect(readdirSync(folder)).toEqual([])
})

const away: RangeDigest = {
  failure: 'unreadable',
  reason: "can't be read: the agent of the storage Cloud does not answer",
}

test('while the agent of the target is away, sources stay unless the service lists checksums', async () => {
  const copies = async (ranges: CopyRange[]) => ranges.map(() => away)
  const { transfers, list } = await withFiles(['a', 'b'])
  transfers.failFile('st-1', '/a', 'corrupt')
  await run(transfers, list, { changes: move, copies })
  expect(reasonsOf(list)).toEqual(['Copied, but not deleted: the checksum of its copy is not that of the file', ''])
  const other = await withFiles(numbered(5), { readings: { checksums: 'absent' } })
  const waits: number[] = []
  await run(other.transfers, other.list, { changes: move, copies, batchSize: 1, waits })
  const reasons = numbered(5).map((name) => `Copied, but not deleted: /incoming/${name} in the target ${away.reason}`)
  expect(reasonsOf(other.list)).toEqual(reasons)
  expect(numbered(5).every((name) => existsSync(join(other.folder, name)))).toBe(true)
  // Only the first batches wait for the agent.
  expect(waits.filter((ms) => ms === 20_000).length).toBeLessThanOrEqual(4)
})

test('a source that is gone is done only if its copy is there', async () => {
  for (const [name, isThere] of [
    ['b', true],
    ['a', false],
  ] as const) {
    const fixture = await withFiles(['a', 'b'], { hasTarget: true, readings: { fileList: 'absent' } })
    const { transfers, list, folder, target } = fixture
    await run(transfers, list, {
      changes: move,
      copies: (ranges) => {
        rmSync(join(folder, name), { force: true })
        if (!isThere) rmSync(join(target!, 'incoming', name), { force: true })
        return digestRanges({ root: target!, ranges }, AbortSignal.timeout(60_000))
      },
    })
    expect(statesOf(list)).toEqual([isThere ? 'done' : 'failed', 'done'])
  }
})

test('a source that is its own copy stays, under another storage and another name of its folder', async () => {
  const { transfers, list, folder } = await withFiles(['reel/a', 'reel/b'], { readings: { checksums: 'absent' } })
  const other = `${folder} again`
  symlinkSync(folder, other)
  transfers.addStorage('st-2', { folder: other })
  await run(transfers, list, {
    changes: { ...move, target: { storageId: 'st-2', name: 'Again', path: '/' } },
    copies: (ranges) => digestRanges({ root: other, ranges }, AbortSignal.timeout(60_000)),
  })
  expect(statesOf(list)).toEqual(['failed', 'failed'])
  expect(reasonsOf(list)[0]).toBe('Copied, but not deleted: /reel/a in the target is the file itself')
  expect(readdirSync(join(folder, 'reel'))).toEqual(['a', 'b'])
})

test('large files are compared in ranges, and many small ones in one request', async () => {
  const files = Array.from({ length: maxCopyRanges + 5 }, (_, i) => `small ${i}`)
  const { transfers, list, folder, write, target } = await withFiles(['large', 'wrong end', ...files], {
    hasTarget: true,
    readings: { checksums: 'absent' },
  })
  const size = maxCopyBytes + 7
  for (const name of ['large', 'wrong end']) {
    write(name, 'x')
    truncateSync(join(folder, name), size)
    write(name, Buffer.alloc(size, name).toString('latin1'))
  }
  for (const each of list.listed.slice(0, 2)) each.size = size
  const questions: CopyRange[][] = []
  await run(transfers, list, {
    changes: move,
    copies: (ranges) => {
      if (questions.length === 0) {
        const bytes = Buffer.alloc(size, 'wrong end')
        bytes[size - 1] = 0
        writeFileSync(join(target!, 'incoming/wrong end'), bytes)
      }
      questions.push(ranges)
      return digestRanges({ root: target!, ranges }, AbortSignal.timeout(60_000))
    },
  })
  expect(statesOf(list)).toEqual(['done', 'failed', ...files.map(() => 'done')])
  expect(reasonsOf(list)[1]).toBe('Copied, but not deleted: /incoming/wrong end in the target has other content')
  expect(readdirSync(folder)).toEqual(['wrong end'])
  const sums = questions.map((ranges) => ranges.reduce((sum, { length }) => sum + length, 0))
  expect(Math.max(...sums)).toBe(maxCopyBytes)
  expect(questions.map((ranges) => ranges.length)).toEqual([1, 1, 1, maxCopyRanges, 6])
})

test('a copy that changes while it is compared keeps its source', async () => {
  const { transfers, list, folder, write, target } = await withFiles(['a'], { hasTarget: true })
  const size = 2 * maxCopyBytes
  write('a', 'x'.repeat(size))
  list.listed[0]!.size = size
  let looks = 0
  await run(transfers, list, {
    changes: move,
    copies: (ranges) => {
      if (looks++ === 1) writeFileSync(join(target!, 'incoming/a'), 'x'.repeat(size))
      return digestRanges({ root: target!, ranges }, AbortSignal.timeout(60_000))
    },
  })
  expect(reasonsOf(list)).toEqual(['Copied, but not deleted: /incoming/a in the target changed while it was compared'])
  expect(existsSync(join(folder, 'a'))).toBe(true)
})

test('a storage that is not mounted has no files, but none is missing', async () => {
  const ranges = [{ path: '/a', start: 0, length: 5 }]
  const digests = await digestRanges({ root: '/mnt/not-mounted', ranges }, AbortSignal.timeout(60_000))
  const reason = "can't be read: the agent does not see its storage. Check that it is mounted"
  expect(digests).toEqual([{ failure: 'unreadable', reason }])
})

test('ranges outside of the storage are not read', async () => {
  const { target, folder } = await withFiles(['secret'], { hasTarget: true })
  symlinkSync(folder, join(target!, 'linked'))
  const linked = { root: target!, ranges: [{ path: '/linked/secret', start: 0, length: 6 }] }
  expect(await digestRanges(linked, AbortSignal.timeout(60_000))).toEqual([
    { failure: 'missing', reason: `can't be read. Its folder is now a link: ${join(target!, 'linked')}` },
  ])
  for (const path of ['/../secret', '/a/../../secret', '/.'])
    expect(
      await digestRanges({ root: target!, ranges: [{ path, start: 0, length: 6 }] }, AbortSignal.timeout(60_000)),
    ).toEqual([{ failure: 'missing', reason: 'must not have . or .. in it' }])
})
