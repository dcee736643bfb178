import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { contradictions, isEntry, isListed, isUnreadable, pathOf, type Row, totals } from '#agent/testing/decodeRows.ts'
import { find, totalsOfFind } from '#agent/testing/find.ts'
import { missingForSlowFs, mountSlowFs } from '#agent/testing/slowFs.ts'
import { orderOf, walked } from '#agent/testing/walked.ts'
import { walkElsewhere } from '#agent/testing/walkedElsewhere.ts'
import { waysOfLookups } from '../../../systems/local/lookups/lookups.ts'

/* Reports of users of comparable programs about slow or dying network storages, at the addresses above the tests. */

const { EIO, ENOENT, EACCES, ESTALE } = constants.errno
const reasonsOf = (unreadable: { error: string }[]) => [...new Set(unreadable.map(({ error }) => error))].toSorted()
const isEmptied = (row: Row) => isListed(row) && row.children === '0' && row.parent_path !== ''

describe.skipIf(missingForSlowFs()).each(waysOfLookups)('reports from the field, with a %s', (way) => {
  // https://github.com/fossology/fossology/issues/395, https://github.com/tj/search/issues/1
  test('a wide tree needs few descriptors, so that a limit of 256 leaves no folder out', async () => {
    const slow = await mountSlowFs({ folders: 3_000, files: 1, latency: 500 })
    const walk = walkElsewhere(slow.mount, {}, { way, openFiles: 256 })
    let maxOpen = 0
    const count = setInterval(() => (maxOpen = Math.max(maxOpen, openFilesOf(walk.pid))), 20)
    const { rows, unreadable } = await walk.ended
    clearInterval(count)
    expect(unreadable).toEqual([])
    expect(totals(rows)).toMatchObject({ files: 3_000 })
    expect(maxOpen).toBeGreaterThan(20)
    expect(maxOpen).toBeLessThan(200)
    await slow.unmount()
  })

  // https://github.com/rclone/rclone/issues/2982, https://github.com/moosefs/moosefs/issues/274
  test('folders of a mount whose program dies are unreadable, not emptied', async () => {
    const slow = await mountSlowFs({ folders: 500, files: 20, latency: 2_000 })
    const walking = walkElsewhere(slow.mount, {}, { way }).ended
    await expect.poll(async () => (await slow.calls()).calls).toBeGreaterThan(500)
    await slow.kill()
    const { rows, unreadable } = await walking
    expect(rows.filter(isEmptied)).toEqual([])
    expect(rows.filter(isUnreadable).length).toBeGreaterThan(0)
    expect(reasonsOf(unreadable)).toContain('ENOTCONN: socket is not connected')
    expect(contradictions(rows)).toEqual([])
    await slow.unmount()
  })

  // https://github.com/Arthi-chaud/Meelo/issues/2065, https://github.com/restic/restic/issues/21786
  test('one entry that is listed and cannot be looked up costs nothing but itself', async () => {
    const fail = [
      { name: 'f3', errno: ENOENT, count: 1_000 },
      { name: 'f5', errno: EACCES, count: 1_000 },
      { name: 'd2', errno: EACCES, count: 1_000 },
    ]
    const slow = await mountSlowFs({ folders: 4, files: 8, latency: 200, fail })
    const { rows, unreadable } = await walked(orderOf(slow.mount), [], { way })
    expect(reasonsOf(unreadable)).toEqual(['EACCES: permission denied'])
    expect(rows.filter(isUnreadable).map(pathOf)).toEqual([expect.stringMatching(/d2$/)])
    expect(rows.filter((row) => isEntry(row) && row.name === 'f3')).toEqual([])
    expect(rows.filter((row) => isEntry(row) && row.name === 'f5').map(({ size }) => size)).toEqual(['-1', '-1', '-1'])
    expect(contradictions(rows)).toEqual([])
    await slow.unmount()
  })

  // https://github.com/jaqx0r/mtail/pull/458, https://github.com/tox-dev/filelock/pull/669
  test('stale handles are retried a few times, not in a loop', async () => {
    const fail = [{ name: 'f1', errno: ESTALE, count: 1_000 }]
    const slow = await mountSlowFs({ folders: 1, files: 3, latency: 200, fail })
    const { rows, unreadable } = await walked(orderOf(slow.mount), [], { way })
    expect(reasonsOf(unreadable)).toEqual(['ESTALE: stale file handle'])
    expect(totals(rows)).toMatchObject({ files: 3 })
    expect((await slow.calls()).calls).toBeLessThan(60)
    await slow.unmount()
  })

  // https://github.com/benhoyt/scandir/issues/9, https://github.com/hanatos/vkdt/pull/114
  test('folders are found where listings have no kinds', async () => {
    const slow = await mountSlowFs({ folders: 5, files: 4, links: 1, latency: 200, untyped: 1 })
    const { rows } = await walked(orderOf(slow.mount), [], { way })
    expect(totals(rows)).toEqual({ ...totalsOfFind(find(slow.mount)), bytes: expect.any(Number) })
    await slow.unmount()
  })

  // https://github.com/huggingface/nfsserve/pull/50, https://github.com/trapexit/mergerfs/issues/1589
  test('names that a server lists repeatedly are returned once', async () => {
    const slow = await mountSlowFs({ folders: 3, files: 200, latency: 200, repeats: 7 })
    const { rows } = await walked(orderOf(slow.mount), [], { way })
    expect(totals(rows)).toMatchObject({ files: 600 })
    expect(contradictions(rows)).toEqual([])
    await slow.unmount()
  })

  test('a folder whose listing never ends is not read for ever', async () => {
    const slow = await mountSlowFs({ folders: 3, files: 500, latency: 0, repeats: 1_000_000_000 })
    const { failed } = await walkElsewhere(slow.mount, {}, { way }).ended
    await slow.unmount()
    expect(failed).toBe('The storage cannot be listed: The listing of this folder repeats names without an end')
  })

  // https://github.com/pgbackrest/pgbackrest/issues/2753
  test('a listing that fails in the middle and is read again has each entry once', async () => {
    const fail = [{ name: 'huge/', errno: EIO, count: 2 }]
    const slow = await mountSlowFs({ folders: 1, files: 1, huge: 5_000, latency: 200, fail })
    const { rows, unreadable } = await walked(orderOf(slow.mount), [], { way })
    expect(unreadable).toEqual([])
    expect(totals(rows)).toMatchObject({ files: 5_001 })
    expect(contradictions(rows)).toEqual([])
    await slow.unmount()
  })

  // https://github.com/brockpalen/archivetar/issues/46, https://github.com/talex-touch/tuff/issues/318
  test('a folder of many files is recorded while it is listed, in a bounded number of listings', async () => {
    const slow = await mountSlowFs({ folders: 1, files: 1, huge: 30_000, latency: 100 })
    const { rows, numbers } = await walked(orderOf(slow.mount), [], { way })
    expect(totals(rows)).toMatchObject({ files: 30_001 })
    expect(new Set(rows.filter(isEntry).map(pathOf)).size).toBe(rows.filter(isEntry).length)
    expect(numbers.length).toBeGreaterThan(0)
    await slow.unmount()
  })
})

describe.each(waysOfLookups)('reports from the field about changing folders, with a %s', (way) => {
  // https://github.com/poeml/mirrorbrain/issues/141: such a link was followed.
  test('a folder that is replaced by a link or a file while it is walked is never followed out of the storage', async () => {
    const [root, outside] = [testFolder(), testFolder()]
    writeFileSync(join(outside, 'secret'), '')
    const folder = (n: number) => join(root, `folder ${n % 100}`)
    for (let n = 0; n < 100; n++) {
      mkdirSync(folder(n))
      for (let file = 0; file < 10; file++) writeFileSync(join(folder(n), `file ${file}`), '')
    }
    let isOver = false
    const walk = walked(orderOf(root), [], { way }).finally(() => (isOver = true))
    for (let n = 0; !isOver; n++) {
      replace(folder(n), outside, n)
      await setImmediate()
    }
    const { rows, unreadable } = await walk
    expect(rows.map(({ name }) => name)).not.toContain('secret')
    expect(unreadable.filter(({ error }) => !/^ELOOP|^ENOTDIR/.test(error))).toEqual([])
    expect(contradictions(rows)).toEqual([])
  })
})

/** Replaces a folder by a link to another one or by a file, or puts it back. */
function replace(folder: string, other: string, n: number): void {
  const kept = `${folder}, kept`
  if (existsSync(kept)) {
    rmSync(folder)
    return renameSync(kept, folder)
  }
  renameSync(folder, kept)
  if (n % 2 === 0) symlinkSync(other, folder)
  else writeFileSync(folder, '')
}

/** Number of descriptors of a process; 0 once it has ended. */
function openFilesOf(pid: number | undefined): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}
