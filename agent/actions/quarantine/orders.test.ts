import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { tryMount } from '#agent/testing/realMounts.ts'
import { reasonsOf, statesOf } from '../testing/attempts.ts'
import { again, carryOut, orderOf, plan, testStorage } from './testing/storage.ts'

const hour = 3_600_000
const small = tryMount((_, point) => [`mount -t tmpfs -o size=128k none ${point}`])
const readOnly = tryMount((_, point) => [`mount -t tmpfs none ${point}`])

describe('an order is not carried out', () => {
  const now = Date.now()
  test.each([
    ['the agent is late', { at: now + 6 * 60_000 }, 'The clocks of agent and server differ by 6 minutes'],
    ['the agent is early', { at: now - 6 * 60_000 }, 'The clocks of agent and server differ by 6 minutes'],
    ['the scan is unknown', { scannedAt: 0 }, 'The scan that the files were planned with is unknown'],
    ['the scan is in the future', { scannedAt: now + hour }, 'is in the future'],
    ['the scan is too old', { scannedAt: now - 73 * hour }, 'is more than 72 hours old'],
  ])('if %s', async (_, changes, reason) => {
    const storage = testStorage()
    const list = plan(storage, [storage.write('/a')])
    await expect(carryOut(storage, list, orderOf('move', changes))).rejects.toThrow(reason)
    expect(readdirSync(storage.root)).toEqual(['a'])
  })

  test.each(['move', 'putBack', 'delete'] as const)(
    'while its disk is not mounted, and nothing is left in the empty folder: %s',
    async (verb) => {
      const storage = testStorage()
      const list = plan(storage, [storage.write('/d/a'), storage.write('/b')])
      if (verb !== 'move') await carryOut(storage, list, orderOf('move'))
      renameSync(storage.root, `${storage.root}.away`)
      mkdirSync(storage.root)
      const reason = verb === 'move' ? 'The file no longer exists' : 'It is no longer in quarantine'
      expect(reasonsOf(await carryOut(storage, again(list), orderOf(verb)))).toEqual([reason, reason])
      expect(readdirSync(storage.root)).toEqual([])
      rmSync(storage.root, { recursive: true })
      renameSync(`${storage.root}.away`, storage.root)
      expect(statesOf(await carryOut(storage, again(list), orderOf(verb)))).toEqual(['done', 'done'])
    },
  )

  test('without AGENT_MAY_CHANGE, by any verb, and the message says what to set', async () => {
    const storage = testStorage()
    const list = plan(storage, [storage.write('/a')])
    const elsewhere = { ...storage, mayChange: [testFolder('elsewhere'), `${storage.root}x`, '/missing'] }
    for (const one of [{ ...storage, mayChange: [] }, elsewhere])
      for (const verb of ['move', 'putBack', 'delete'] as const)
        await expect(carryOut(one, list, orderOf(verb))).rejects.toThrow(
          `Agent 7 may not change files in ${storage.root}. Set AGENT_MAY_CHANGE=${storage.root} for this agent and restart it.`,
        )
    expect(readdirSync(storage.root)).toEqual(['a'])
  })

  test('if the root is a link to a folder that the agent may not change', async () => {
    const storage = testStorage()
    const [link, target] = [testFolder('link'), testFolder('target')]
    const list = plan(storage, [storage.write('/a')])
    renameSync(storage.root, join(target, 'moved'))
    symlinkSync(join(target, 'moved'), storage.root)
    await expect(carryOut({ ...storage, mayChange: [link] }, list, orderOf('move'))).rejects.toThrow('may not change')
    symlinkSync(target, join(link, 'allowed'))
    await carryOut({ ...storage, mayChange: [join(link, 'allowed')] }, list, orderOf('move'))
    expect(statesOf(list)).toEqual(['done'])
  })

  test.runIf(small)('on a full disk, where the manifest can not be written', async () => {
    const storage = testStorage(small)
    const paths = Array.from({ length: 300 }, (_, n) => storage.write(`/${'n'.repeat(240)}${n}`, ''))
    const list = plan(storage, paths)
    expect(() => writeFileSync(join(small!, 'filler'), 'x'.repeat(200_000))).toThrow('ENOSPC')
    await expect(carryOut(storage, list, orderOf('move'))).rejects.toThrow('ENOSPC')
    expect(new Set(statesOf(list))).toEqual(new Set(['planned']))
    for (const path of paths) expect(existsSync(storage.at(path))).toBe(true)
    rmSync(join(small!, 'filler'))
    // Room for the header, and for a part of the lines.
    writeFileSync(join(small!, 'filler'), 'x'.repeat(90_000))
    await expect(carryOut(storage, again(list), orderOf('move'))).rejects.toThrow('ENOSPC')
    expect(readFileSync(storage.manifest, 'latin1')).not.toContain('\nback ')
    for (const path of paths) expect(existsSync(storage.at(path))).toBe(true)
    rmSync(join(small!, 'filler'))
    expect(new Set(statesOf(await carryOut(storage, again(list), orderOf('move'))))).toEqual(new Set(['done']))
    expect(storage.undo()).toBe('Put back: 300. Left: 0.\n')
  })

  test.runIf(readOnly)('on a file system that is read-only', async () => {
    const storage = testStorage(readOnly)
    const list = plan(storage, [storage.write('/a')])
    execFileSync('mount', ['-o', 'remount,ro', readOnly!])
    await expect(carryOut(storage, list, orderOf('move'))).rejects.toThrow('EROFS')
    execFileSync('mount', ['-o', 'remount,rw', readOnly!])
  })

  test.each([
    ['belongs to another user', (path: string) => (mkdirSync(path, 0o700), chownSync(path, 1_000, 1_000))],
    ['is open to others', (path: string) => (mkdirSync(path), chmodSync(path, 0o770))],
    ['is a link', (path: string) => symlinkSync(testFolder('target'), path)],
    ['is a file', (path: string) => writeFileSync(path, '')],
  ])('if the quarantine %s', async (_, prepare) => {
    const storage = testStorage()
    const list = plan(storage, [storage.write('/a')])
    prepare(join(storage.root, '.dataintell-quarantine'))
    for (const verb of ['move', 'putBack', 'delete'] as const)
      await expect(carryOut(storage, list, orderOf(verb))).rejects.toThrow(
        /\.dataintell-quarantine .*Rename or remove it/,
      )
    expect(existsSync(storage.at('/a'))).toBe(true)
  })

  test.each([
    [
      'belongs to another user',
      (path: string) => (writeFileSync(path, '', { mode: 0o600 }), chownSync(path, 1_000, 1_000)),
    ],
    ['is a link', (path: string) => symlinkSync('/etc/hostname', path)],
    ['has a second name', (path: string) => (writeFileSync(path, '', { mode: 0o600 }), linkSync(path, `${path}.2`))],
  ])('if the manifest %s', async (_, prepare) => {
    const storage = testStorage()
    const list = plan(storage, [storage.write('/a')])
    mkdirSync(join(storage.root, '.dataintell-quarantine'), 0o700)
    prepare(storage.manifest)
    await expect(carryOut(storage, list, orderOf('move'))).rejects.toThrow(/1a2b3c4d-4711\.sh|ELOOP/)
    expect(existsSync(storage.at('/a'))).toBe(true)
  })
})
