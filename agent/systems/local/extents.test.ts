import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, writeFileSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { tryMountImage } from '../../testing/realMounts.ts'
import { mayShareSpace } from './boundaries.ts'
import { sharedBytesOf } from './extents.ts'

const mounts = {
  btrfs: tryMountImage('mkfs.btrfs -q'),
  xfs: tryMountImage('mkfs.xfs -q'),
}
const xfsWithoutReflinks = tryMountImage('mkfs.xfs -q -m reflink=0')

async function sharedBytes(path: string): Promise<number> {
  const handle = await open(path)
  try {
    return await sharedBytesOf(handle, (await stat(path)).size)
  } finally {
    await handle.close()
  }
}

for (const [type, point] of Object.entries(mounts))
  test.runIf(point)(`a copy on ${type} made as a reflink shares what was not written since`, async () => {
    const [original, reflink, copy] = ['original', 'reflink', 'copy'].map((name) => join(point!, name)) as [
      string,
      string,
      string,
    ]
    const size = 5_000_003
    writeFileSync(original, randomBytes(size))
    execFileSync('cp', ['--reflink=never', original, copy])
    execFileSync('sync', ['-f', point!])
    expect(await sharedBytes(original)).toBe(0)
    execFileSync('cp', ['--reflink=always', original, reflink])
    expect([await sharedBytes(original), await sharedBytes(reflink), await sharedBytes(copy)]).toEqual([size, size, 0])
    const handle = await open(reflink, 'r+')
    await handle.write(randomBytes(1_048_576), 0, 1_048_576, 1_048_576)
    await handle.sync()
    await handle.close()
    expect(await sharedBytes(reflink)).toBe(size - 1_048_576)
    expect(await mayShareSpace(point!, false)).toBe(true)
  })

test.runIf(xfsWithoutReflinks)('an XFS without reflinks shares nothing', async () => {
  expect(await mayShareSpace(xfsWithoutReflinks!, false)).toBe(false)
})

test('on a file system that does not report extents, or has no reflinks, nothing is known to be shared', async () => {
  const folder = testFolder()
  writeFileSync(join(folder, 'a'), 'content')
  copyFileSync(join(folder, 'a'), join(folder, 'b'))
  expect([await sharedBytes('/proc/self/maps'), await sharedBytes(join(folder, 'a'))]).toEqual([0, 0])
})
