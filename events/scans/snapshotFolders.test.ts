import { expect, test } from 'vitest'
import { pathRules } from './rules.ts'
import { isOfSnapshot, ruleForSnapshots } from './snapshotFolders.ts'

const ofSnapshots = [
  '/~snapshot',
  '/x/~snapshot/hourly.0/f',
  '/.snapshot/nightly.3/home/ana',
  '/home/#snapshot/GMT-2026.11.27',
  '/tank/.zfs/snapshot/daily/f',
  '/home/.snapshots/12/snapshot/f',
  '/share/@GMT-2026.11.27-03.00.00/f',
  '/pool/.snap/today',
]

test('a path in a snapshot folder is an earlier state of another file', () => {
  for (const path of ofSnapshots) expect(isOfSnapshot(path)).toBe(true)
  for (const path of ['/snapshot/f', '/my.snapshot/f', '/a/.snapshot.txt', '/.zfs/shares', '/GMT-1/f', '/x~snapshot/f'])
    expect(isOfSnapshot(path)).toBe(false)
})

test('the rule for a snapshot folder leaves it out at any depth, and nothing else', () => {
  for (const path of ofSnapshots) {
    const name = path.split('/').find((part) => ruleForSnapshots(part) !== undefined) ?? ''
    const isIgnored = pathRules([ruleForSnapshots(name) ?? ''])
    expect(isIgnored(path)).toBe(true)
    expect(isIgnored('/home/ana/f')).toBe(false)
  }
  expect(ruleForSnapshots('snapshot')).toBeUndefined()
})
