import { spawnSync } from 'node:child_process'
import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { PlannedFile } from '#events/actions/files.ts'
import { tryMount } from '../testing/realMounts.ts'
import { openUnused } from './openUnused.ts'
import { openSource } from './sourceFile.ts'
import { deleteSources, removeFile } from '../systems/transfers/deleteSources.ts'
import { digestRanges } from '../systems/transfers/digestRanges.ts'

const strict = tryMount((_, point) => [`mount -t tmpfs -o strictatime none ${point}`])
const relative = tryMount((_, point) => [`mount -t tmpfs -o relatime none ${point}`])
const served = tryMount((_, point) => [`mount -t tmpfs -o strictatime none ${point}`])
/** A file system by a program, which reads the files itself. O_NOATIME means nothing to it. */
const program = served && tryMount((_, point) => [`bindfs ${served} ${point}`])
afterAll(() => void (program && spawnSync('umount', ['-l', program])))

const content = 'content of a'
const [accessed, modified] = [1_500_000_000.123, 1_600_000_000.456]
const { signal } = new AbortController()

const readers: Record<string, (file: PlannedFile, root: string) => Promise<unknown>> = {
  async 'a comparison or an upload'(file) {
    const source = await openSource(file)
    for await (const part of source.read(0, file.size)) expect(Buffer.from(part).toString()).toBe(content)
    await source.check()
    await source.close()
  },
  'the check of a source before its deletion': (file) =>
    deleteSources([{ file, copy: { target: file.path, size: file.size, checksum: 'f'.repeat(64) } as never }], {
      remove: removeFile,
      signal,
    }),
}
const verified = (file: PlannedFile, root: string) =>
  digestRanges(
    { root, crossesFileSystems: true, ranges: [{ path: file.pathInStorage, start: 0, length: file.size }] },
    signal,
  )

const cases = [
  ['a disk with strictatime', strict, strict, { ...readers, 'the verification of a move': verified }],
  ['a disk with relatime', relative, relative, { ...readers, 'the verification of a move': verified }],
  ['a file system of a program', program, served, readers],
] as const

for (const [name, root, below, all] of cases)
  describe.runIf(root)(`on ${name}`, () => {
    const path = join(root ?? '', 'a')
    const times = () => {
      const { atimeNs, mtimeNs } = statSync(join(below!, 'a'), { bigint: true })
      return { atimeNs, mtimeNs }
    }
    beforeEach(() => {
      writeFileSync(path, content)
      utimesSync(path, accessed, modified)
    })

    test('updates the access time of a file that someone reads', () => {
      const before = times()
      readFileSync(path)
      expect(times().atimeNs).toBeGreaterThan(before.atimeNs)
    })

    test.each(Object.entries(all))('%s does not make a file look used', async (_, read) => {
      const file: PlannedFile = {
        position: 1,
        path,
        place: path,
        pathInStorage: '/a',
        size: content.length,
        modified: Math.floor(modified),
        reference: '',
      }
      const before = times()
      await read(file, root!)
      expect(times()).toEqual(before)
    })
  })

// Someone else than the owner may not use O_NOATIME, nor set the time again.
test.runIf(strict)('a file of another user is read all the same', async () => {
  const path = join(strict!, 'of root')
  writeFileSync(path, content)
  utimesSync(path, accessed, modified)
  process.seteuid!(65_534)
  try {
    const { handle, giveBack } = await openUnused(path)
    expect(await handle.readFile('utf8')).toBe(content)
    await giveBack()
    await handle.close()
  } finally {
    process.seteuid!(0)
  }
  expect(statSync(path).mtimeMs).toBe(modified * 1_000)
})
