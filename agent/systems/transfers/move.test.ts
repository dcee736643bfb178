import { createHash } from 'node:crypto'
import { existsSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RemoveFile } from './deleteSources.ts'
import { reasonsOf, statesOf } from '../../actions/testing/attempts.ts'
import { move, plannedAgain, run, withFiles } from './testing.ts'

/** Runs a move of the files a and b, after `change` at a moment of the copy of a. */
async function movedWith(change: (fixture: Awaited<ReturnType<typeof withFiles>>) => void, step: 'scan' | 'write') {
  const fixture = await withFiles(['a', 'b'], {
    onFile: (_, path, done) => {
      if (done === step && path === (step === 'scan' ? '/a' : '/incoming/a')) change(fixture)
    },
  })
  await run(fixture.transfers, fixture.list, { changes: move })
  const { folder, list, transfers } = fixture
  expect([statesOf(list)[1], existsSync(join(folder, 'b'))]).toEqual(['done', false])
  return {
    ...fixture,
    copy: transfers.file('st-2', '/incoming/a')?.content.toString(),
    isKept: existsSync(join(folder, 'a')),
  }
}

test.each(['md5', 'absent'] as const)(
  'sources are deleted by the agent once their copies are verified (%s)',
  async (checksums) => {
    const hasTarget = checksums === 'absent'
    const { transfers, list, folder } = await withFiles(['a', 'b/c', 'empty'], { readings: { checksums }, hasTarget })
    await run(transfers, list, { changes: move })
    expect(statesOf(list)).toEqual(['done', 'done', 'done'])
    expect(transfers.jobs.get('j-1')?.transferType).toBe('COPY')
    expect(transfers.processed('st-1', '/a')).toEqual({ read: 1, written: 0, deleted: 0 })
    expect(['a', 'b/c', 'empty', 'b'].map((name) => existsSync(join(folder, name)))).toEqual([
      false,
      false,
      false,
      true,
    ])
  },
)

test('the service deletes the sources if the order says so', async () => {
  const { transfers, list, folder } = await withFiles(['a'])
  await run(transfers, list, { changes: { transferType: 'MOVE', deletedBy: 'service' } })
  expect(transfers.processed('st-1', '/a')).toEqual({ read: 1, written: 0, deleted: 1 })
  expect([statesOf(list), existsSync(join(folder, 'a'))]).toEqual([['done'], false])
})

test('a source that the service keeps has failed, with the reason', async () => {
  const { transfers, list } = await withFiles(['a', 'b'])
  transfers.failFile('st-1', '/a', 'delete', 'Permission denied')
  await run(transfers, list, { changes: { transferType: 'MOVE', deletedBy: 'service' } })
  expect(reasonsOf(list)).toEqual(['The transfer service failed to transfer it: Permission denied', ''])
})

test('a file that changes after its copy stays', async () => {
  const { isKept, list } = await movedWith(({ write }) => write('a', 'content of z', 1_700_000_000), 'write')
  expect([isKept, reasonsOf(list)[0]]).toEqual([true, 'Copied, but not deleted: it changed after it was selected'])
})

test('a file that changed before its copy stays', async () => {
  const { isKept, list, copy } = await movedWith(({ write }) => write('a', 'longer than before'), 'scan')
  expect([isKept, copy]).toEqual([true, 'longer than before'])
  expect(reasonsOf(list)[0]).toContain('The copy has 18 bytes instead of 12')
})

test('a file that became a link stays, and so does the target of the link', async () => {
  const { isKept, list, folder } = await movedWith(({ folder }) => {
    renameSync(join(folder, 'a'), join(folder, 'elsewhere'))
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'a'))
  }, 'write')
  expect([isKept, existsSync(join(folder, 'elsewhere'))]).toEqual([true, true])
  expect(reasonsOf(list)[0]).toBe('Copied, but not deleted: it is no longer a regular file')
})

test('a source that is gone and has a verified copy is done', async () => {
  const { isKept, list } = await movedWith(({ folder }) => rmSync(join(folder, 'a')), 'write')
  expect([isKept, ...statesOf(list)]).toEqual([false, 'done', 'done'])
})

test('a source whose folder is gone has failed: its storage may not be mounted', async () => {
  const { transfers, list, folder } = await withFiles(['a'])
  list.listed[0]!.path = join(folder, 'not mounted', 'a')
  await run(transfers, list, { changes: move })
  expect(reasonsOf(list)[0]).toContain('Check that the storage is mounted')
})

test('a copy with another checksum keeps its source', async () => {
  const { transfers, list, folder } = await withFiles(['a', 'b'])
  transfers.failFile('st-1', '/a', 'corrupt')
  await run(transfers, list, { changes: move })
  expect(reasonsOf(list)).toEqual(['Copied, but not deleted: the checksum of its copy is not that of the file', ''])
  expect([existsSync(join(folder, 'a')), existsSync(join(folder, 'b'))]).toEqual([true, false])
})

/** Answers of `GET /jobs/{id}/files` for one file. */
const listing = (attributes: object) => ({
  data: [{ id: '1', attributes: { source: '/a', target: '/incoming/a', state: 'COPIED', size: 12, ...attributes } }],
})

test.each([
  [{ size: null, checksum: null }, "can't be read by an agent"],
  [{ size: '11' }, 'The copy has 11 bytes instead of 12'],
  [{ checksum: 'b1946ac92492d2347c6235b4d2611184-3' }, 'unknown form'],
  [{ source: '/b' }, 'its list of files does not have this one'],
  [{ state: 'WAITING' }, 'without this file'],
  [{ state: 'VERIFYING' }, 'without this file'],
  [{ state: 'FAILED' }, 'failed to transfer it'],
])('a file that is listed as %j is not deleted', async (attributes, reason) => {
  const { transfers, list, folder } = await withFiles(['a'])
  transfers.faults.failNext('GET jobs/j-1/files', 200, listing(attributes), { times: 9 })
  await run(transfers, list, { changes: move })
  expect([statesOf(list), existsSync(join(folder, 'a'))]).toEqual([['failed'], true])
  expect(reasonsOf(list)[0]).toContain(reason)
})

test('a list of files that is behind its job is read again', async () => {
  const { transfers, list, folder } = await withFiles(['a', 'b'])
  transfers.faults.failNext('GET jobs/j-1/files', 200, { data: [] })
  transfers.faults.failNext('GET jobs/j-1/files', 200, listing({ state: 'WAITING' }), { skip: 1 })
  await run(transfers, list, { changes: move })
  expect(statesOf(list)).toEqual(['done', 'done'])
  expect(existsSync(join(folder, 'a'))).toBe(false)
})

test.each(['md5', 'sha1', 'sha256'])('a checksum may be a %s', async (algorithm) => {
  const { transfers, list, folder } = await withFiles(['a', 'b'])
  const [checksum, other] = ['content of a', 'another text'].map((text) =>
    createHash(algorithm).update(text).digest('hex'),
  )
  const { data } = listing({ checksum: checksum?.toUpperCase() })
  data.push(...listing({ source: '/b', target: '/incoming/b', checksum: other }).data)
  transfers.faults.failNext('GET jobs/j-1/files', 200, { data })
  await run(transfers, list, { changes: move })
  expect(['a', 'b'].map((name) => existsSync(join(folder, name)))).toEqual([false, true])
  expect(reasonsOf(list)[1]).toContain('the checksum of its copy is not that of the file')
})

test('a source that the agent may not delete stays, and others are deleted', async () => {
  const { transfers, list, folder } = await withFiles(['a', 'b'])
  const remove: RemoveFile = async (path) => {
    if (String(path).endsWith('/a')) throw Object.assign(new Error('denied'), { code: 'EACCES' })
    await unlink(path)
  }
  await run(transfers, list, { changes: move, remove })
  expect(reasonsOf(list)).toEqual(["Copied, but not deleted: the agent can't delete it (EACCES)", ''])
  expect([existsSync(join(folder, 'a')), existsSync(join(folder, 'b'))]).toEqual([true, false])
})

test('sources whose copies may have overwritten each other stay', async () => {
  const { transfers, list, folder } = await withFiles(['Clip.mov', 'other.mov'], { readings: { checksums: 'absent' } })
  writeFileSync(join(folder, 'clip.mov'), 'content of Clip.mo!')
  const data = [
    ['/Clip.mov', '/incoming/Clip.mov'],
    ['/other.mov', '/incoming/clip.mov'],
  ].map(([source, target], i) => {
    return { id: String(i), attributes: { source, target, state: 'COPIED', size: list.listed[i]!.size } }
  })
  transfers.faults.failNext('GET jobs/j-1/files', 200, { data })
  await run(transfers, list, { changes: move })
  expect(statesOf(list)).toEqual(['failed', 'failed'])
  expect(reasonsOf(list)[0]).toContain('except for letter case')
  expect(existsSync(join(folder, 'Clip.mov'))).toBe(true)
})

test('a file is never moved onto itself', async () => {
  const { transfers, list, folder } = await withFiles(['a'])
  const target = { storageId: 'st-1', name: 'Projects', path: '/' }
  await run(transfers, list, { changes: { ...move, target } })
  expect([statesOf(list), existsSync(join(folder, 'a')), transfers.jobs.all()]).toEqual([['failed'], true, []])
  const again = plannedAgain(list)
  transfers.faults.failNext('GET jobs/j-1/files', 200, listing({ target: '/A' }))
  await run(transfers, again, { changes: { ...move, target: { ...target, path: '/elsewhere' } } })
  expect([reasonsOf(again), existsSync(join(folder, 'a'))]).toEqual([['The copy is the source itself'], true])
})
