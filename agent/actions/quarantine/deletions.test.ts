import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { reasonsOf } from '../testing/attempts.ts'
import { again, carryOut, orderOf, plan, run, type TestStorage, testStorage } from './testing/storage.ts'

describe('files that this agent did not move are not deleted', () => {
  const moved = async () => {
    const storage = testStorage()
    const list = plan(storage, [storage.write('/a'), storage.write('/b')])
    await carryOut(storage, list, orderOf('move'))
    return { storage, list }
  }
  const deleteAgain = async (storage: TestStorage, list: ReturnType<typeof plan>) =>
    reasonsOf(await carryOut(storage, again(list), orderOf('delete')))

  test('a file, folder or link that someone put there, also with a line of its own', async () => {
    const { storage, list } = await moved()
    const { modified } = list.listed[0] as { modified: number }
    const put = join(storage.root, `.dataintell-quarantine/${run}`)
    writeFileSync(join(put, 'planted'), 'x')
    utimesSync(join(put, 'planted'), modified, modified)
    mkdirSync(join(put, 'folder'))
    symlinkSync('/etc/hostname', join(put, 'link'))
    const [line = ''] = readFileSync(storage.manifest, 'utf8').match(/^back .*$/m) ?? []
    const { ino } = lstatSync(join(put, 'planted'))
    appendFileSync(storage.manifest, `${line.replace(/ \d+ \d+ /, ` ${ino} 1 `).replace("'a'", "'planted'")}\n`)
    const at = (path: string) => storage.quarantined(path)
    const planted = plan({ ...storage, at }, ['/planted', '/folder', '/link'])
    expect(await deleteAgain(storage, planted)).toEqual([
      'The manifest of its run does not show that this agent moved it. Delete it by hand',
      expect.stringMatching(/not this file/),
      expect.stringMatching(/not this file/),
    ])
    expect(readdirSync(put).toSorted()).toEqual(['a', 'b', 'folder', 'link', 'planted'])
  })

  test('a file that was exchanged or changed', async () => {
    const { storage, list } = await moved()
    renameSync(storage.quarantined('/a'), storage.quarantined('/c'))
    renameSync(storage.quarantined('/b'), storage.quarantined('/a'))
    writeFileSync(storage.quarantined('/b'), 'new')
    expect(await deleteAgain(storage, list)).toEqual([
      expect.stringMatching(/not this file/),
      expect.stringMatching(/not this file/),
    ])
    expect(existsSync(storage.quarantined('/c'))).toBe(true)
  })

  test('a file of another run, or of a manifest that is gone', async () => {
    const { storage, list } = await moved()
    const there = join(storage.root, '.dataintell-quarantine')
    renameSync(join(there, run), join(there, 'other'))
    renameSync(storage.manifest, join(there, 'other.sh'))
    const other = await carryOut(storage, again(list), orderOf('delete', { run: 'other' }))
    expect(reasonsOf(other)).toEqual(Array(2).fill(expect.stringMatching(/does not show that this agent moved it/)))
    rmSync(join(there, 'other.sh'))
    const lost = await carryOut(storage, again(list), orderOf('delete', { run: 'other' }))
    expect(reasonsOf(lost)).toEqual(Array(2).fill(expect.stringMatching(/does not show that this agent moved it/)))
  })

  test('a file that was deleted by hand is done, unless the manifest is gone, too', async () => {
    const { storage, list } = await moved()
    rmSync(storage.quarantined('/a'))
    expect(await deleteAgain(storage, list)).toEqual(['', ''])
    rmSync(storage.manifest)
    expect(await deleteAgain(storage, list)).toEqual(Array(2).fill('It is no longer in quarantine'))
  })

  test('a file that was put back stays where it is', async () => {
    const { storage, list } = await moved()
    storage.undo()
    expect(await deleteAgain(storage, list)).toEqual(['It was put back', 'It was put back'])
    expect(readdirSync(storage.root).toSorted()).toEqual(['.dataintell-quarantine', 'a', 'b'])
  })
})
