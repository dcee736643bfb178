import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { reasonsOf, statesOf } from '../testing/attempts.ts'
import { again, carryOut, orderOf, plan, run, testStorage } from './testing/storage.ts'

const odd = [
  "/it's.mov",
  '/a b/ c \\ "d" $HOME `x`.mov',
  '/line\nbreak/\n',
  '/\uef80\uefff/ü\uefff.mov',
  '/-n',
  '/*',
  `/${'n'.repeat(255)}`,
]
const everyByte = Array.from({ length: 255 }, (_, n) => n + 1)
  .filter((byte) => byte !== 0x2f)
  .map((byte) => (byte < 128 ? String.fromCharCode(byte) : String.fromCharCode(0xef00 + byte)))
const bytes = [
  `/x${everyByte.slice(0, 200).join('')}`,
  `/y${everyByte.slice(100).join('')}/${everyByte.slice(100).join('')}`,
]
const paths = ['/a.mov', '/deep/er/b.mov', ...odd, ...bytes]

function filled() {
  const storage = testStorage()
  for (const path of paths) storage.write(path)
  return { storage, list: plan(storage, paths) }
}

test('files are moved with their manifest, and put back', async () => {
  const { storage, list } = filled()
  const before = paths.map((path) => lstatSync(storage.at(path), { bigint: true }))
  await carryOut(storage, list, orderOf('move'))
  expect(reasonsOf(list)).toEqual(paths.map(() => ''))
  expect(statesOf(list)).toEqual(paths.map(() => 'done'))
  for (const path of paths) {
    expect(existsSync(storage.at(path))).toBe(false)
    expect(lstatSync(storage.quarantined(path)).isFile()).toBe(true)
  }
  expect(lstatSync(join(storage.root, '.dataintell-quarantine')).mode & 0o777).toBe(0o700)
  expect(readFileSync(storage.manifest, 'latin1').split('\nback ')).toHaveLength(paths.length + 1)
  const back = await carryOut(storage, again(list), orderOf('putBack'))
  expect(statesOf(back)).toEqual(paths.map(() => 'done'))
  for (const [n, path] of paths.entries()) {
    const now = lstatSync(storage.at(path), { bigint: true })
    for (const kept of ['ino', 'mtimeNs', 'atimeNs', 'birthtimeNs', 'size', 'mode', 'nlink'] as const)
      expect(now[kept]).toBe(before[n]?.[kept])
  }
  expect(readdirSync(join(storage.root, '.dataintell-quarantine')).toSorted()).toEqual([`${run}.sh`, 'README.txt'])
})

describe.each(['dash', 'bash'])('by the script of the manifest, %s', (shell) => {
  test('files with any names are put back, and a second run changes nothing', async () => {
    const { storage, list } = filled()
    await carryOut(storage, list, orderOf('move'))
    rmSync(join(storage.root, 'deep'), { recursive: true })
    expect(storage.undo(shell)).toBe(`Put back: ${paths.length}. Left: 0.\n`)
    for (const path of paths) expect(storage.read(path)).toBe(Buffer.from(`content of ${path}`).toString('latin1'))
    expect(storage.undo(shell)).toBe('Put back: 0. Left: 0.\n')
    expect(readdirSync(join(storage.root, '.dataintell-quarantine')).toSorted()).toEqual([`${run}.sh`, 'README.txt'])
  })
})

test('only what this agent moved is deleted', async () => {
  const { storage, list } = filled()
  await carryOut(storage, list, orderOf('move'))
  expect(statesOf(list)).toEqual(paths.map(() => 'done'))
  const other = await carryOut({ ...storage, state: testStorage().state }, again(list), orderOf('delete'))
  expect(new Set(reasonsOf(other))).toEqual(
    new Set(['The manifest of its run does not show that this agent moved it. Delete it by hand']),
  )
  const deleted = await carryOut(storage, again(list), orderOf('delete'))
  expect(reasonsOf(deleted)).toEqual(paths.map(() => ''))
  expect(readdirSync(join(storage.root, '.dataintell-quarantine')).toSorted()).toEqual([`${run}.sh`, 'README.txt'])
})
