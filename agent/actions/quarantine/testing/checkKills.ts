import { existsSync, linkSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { QuarantineOrder } from '#events/actions/orders.ts'
import { quarantineFolder } from '#events/scans/notEntered.ts'
import { reasonsOf } from '../../testing/attempts.ts'
import type { FileList } from '../../testing/fileList.ts'
import { isKilled } from './killed.ts'
import { again, carryOut, orderOf, plan, run, type TestStorage, testStorage } from './storage.ts'

const verbs = ['move', 'putBack', 'delete'] as const

/** A storage with some files, two of them names of the same, and what a verb needs. */
async function prepared(verb: QuarantineOrder['verb']) {
  const storage = testStorage()
  const paths = ['/a', '/d/b', '/d/e/c', "/d/it's\n"].map((path) => storage.write(path))
  linkSync(storage.at('/a'), storage.at('/d/same'))
  const list = plan(storage, [...paths, '/d/same'])
  if (verb === 'move') return { storage, list }
  await carryOut(storage, list, orderOf('move'))
  return { storage, list: again(list) }
}

/** Each file is in one place, none is lost, and all that is in quarantine is in the manifest. */
export function checkPlaces(storage: TestStorage, { listed }: FileList, mayBeGone = false): void {
  const manifest = existsSync(storage.manifest) ? readFileSync(storage.manifest, 'latin1') : ''
  const lines = new Set(manifest.match(/(?<=\nback [0-9a-f]{32} )\d+/g))
  for (const { pathInStorage, inode } of listed) {
    const found = [storage.at(pathInStorage), storage.quarantined(pathInStorage)].map(
      (path) => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino,
    )
    const places = found.filter((ino) => String(ino) === inode)
    if (!mayBeGone || places.length > 0) expect([pathInStorage, places.length]).toEqual([pathInStorage, 1])
    if (found[1] !== undefined) expect([pathInStorage, lines.has(String(inode))]).toEqual([pathInStorage, true])
  }
}

/** Kills an agent at a step of each verb, and another one completes it. Returns the verbs that have such a step. */
export async function checkKillsAt(killAt: number): Promise<string[]> {
  const killed: string[] = []
  for (const verb of verbs) {
    const { storage, list } = await prepared(verb)
    if (!(await isKilled(storage, list, orderOf(verb), { killAt }))) continue
    killed.push(verb)
    checkPlaces(storage, list, verb === 'delete')
    // A new agent follows what was sent, then sends the others.
    await carryOut(storage, list, orderOf(verb))
    expect([killAt, verb, reasonsOf(list)]).toEqual([killAt, verb, list.listed.map(() => '')])
    checkPlaces(storage, list, verb === 'delete')
    if (verb === 'move') {
      expect(readFileSync(storage.manifest, 'latin1')).toMatch(
        /^#!\/bin\/sh\n[^]*\n# Files: .*\n(back [0-9a-f]{32} .*\n)+$/,
      )
      expect(storage.undo('dash')).toBe(`Put back: ${list.listed.length}. Left: 0.\n`)
    }
    const isInPlace = verb !== 'delete'
    for (const { pathInStorage } of list.listed) expect(existsSync(storage.at(pathInStorage))).toBe(isInPlace)
    expect(readdirSync(join(storage.root, quarantineFolder)).toSorted()).toEqual([`${run}.sh`, 'README.txt'])
  }
  return killed
}
