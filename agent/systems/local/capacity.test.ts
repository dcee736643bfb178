import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { usedShare } from '#events/capacity.ts'
import { capacityOf } from './index.ts'

/** Output of `df` for a folder: bytes, and the percentage that it prints. */
function df(folder: string) {
  const printed = execFileSync('df', ['-B1', '--output=size,used,avail,pcent', folder], { encoding: 'utf8' })
  const [total = 0, used = 0, free = 0, percent = 0] = printed.split('\n')[1]?.match(/\d+/g)?.map(Number) ?? []
  return { total, used, free, percent }
}

const shared = mkdtempSync('/dev/shm/capacity-')
afterAll(() => rmSync(shared, { recursive: true, force: true }))

test.runIf(process.platform === 'linux').each(['/', '/dev/shm'])('%s has what df says of it', async (folder) => {
  const tolerance = 256 * 1024 ** 2
  const found = await capacityOf(folder)
  const reported = df(folder)
  expect(found?.total).toBe(reported.total)
  for (const size of ['used', 'free'] as const)
    expect(Math.abs((found?.[size] ?? 0) - reported[size]), `${size} of ${folder}`).toBeLessThan(tolerance)
  const percent = Math.ceil((found ? (usedShare(found) ?? 0) : 0) * 100)
  expect(Math.abs(percent - reported.percent)).toBeLessThanOrEqual(1)
})

test('folders of one disk name the same file system, and those of another disk another', async () => {
  writeFileSync(join(shared, 'some'), 'x'.repeat(1_000_000))
  const names = await Promise.all(['/dev/shm', shared, '/'].map(async (at) => (await capacityOf(at))?.fileSystem))
  expect(names[1]).toBe(names[0])
  expect(names[2]).not.toBe(names[0])
})
