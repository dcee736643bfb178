import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ScanOrder } from '#events/sources/scanOrder.ts'
import { contradictions, isEntry, pathOf } from '#agent/testing/decodeRows.ts'
import { orderOf, type SentWalk, walked } from '#agent/testing/walked.ts'
import { testFolder } from '#server/platform/testing/stores.ts'

const ownMounts = ['unshare', '--user', '--map-root-user', '--mount']
const canMount = spawnSync('unshare', [...ownMounts.slice(1), 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0
const walker = new URL('../../testing/printWalk.ts', import.meta.url).pathname

/** Walks a folder in a namespace of its own, after these commands. */
function walkedWith(root: string, commands: string, changes: Partial<ScanOrder> = {}): SentWalk & { failed?: string } {
  const script = `set -e; cd "$1"; ${commands}; exec "$2" "$3" "$1" "$4"`
  const values = [root, process.execPath, walker, JSON.stringify(changes)]
  const [unshare = '', ...options] = ownMounts
  return JSON.parse(execFileSync(unshare, [...options, 'sh', '-c', script, 'sh', ...values], { encoding: 'utf8' }))
}

function projects(): string {
  const root = testFolder()
  for (const path of ['a/b', 'c', 'copy', 'scratch']) mkdirSync(join(root, path), { recursive: true })
  writeFileSync(join(root, 'a/f'), 'four')
  return root
}

const notEntered = ({ rows }: SentWalk) =>
  Object.fromEntries(rows.filter((row) => row.not_entered !== '').map((row) => [pathOf(row), row.not_entered]))
const filesOf = ({ rows }: SentWalk) =>
  rows
    .filter((row) => isEntry(row) && row.is_directory === '0')
    .map(pathOf)
    .sort()

const mounting = 'mount -t tmpfs tmpfs scratch; echo x > scratch/x; mount --bind a copy; mount --rbind . c'

test.skipIf(!canMount)('other file systems and folders that are mounted again are named and not entered', () => {
  const walk = walkedWith(projects(), mounting)
  expect(notEntered(walk)).toEqual({ '/scratch': 'fileSystem:tmpfs', '/copy': 'sameFolder:/a', '/c': 'sameFolder:/' })
  expect(filesOf(walk)).toEqual(['/a/f'])
  expect(contradictions(walk.rows)).toEqual([])
})

test.skipIf(!canMount)('file systems mounted below are entered if the order says so, and no folder twice', () => {
  const walk = walkedWith(projects(), mounting, { crossFileSystems: true })
  expect(notEntered(walk)).toEqual({ '/copy': 'sameFolder:/a', '/c': 'sameFolder:/' })
  expect(filesOf(walk)).toEqual(['/a/f', '/scratch/x'])
})

test.skipIf(!canMount)('a scan of a folder that is not included fails, and says why', () => {
  const walk = walkedWith(projects(), mounting, { scannedPath: '/scratch' })
  expect(walk.failed).toMatch(/scratch is not included in this storage: another file system \(tmpfs\)/)
})

test.runIf(process.platform === 'linux')('file systems of the kernel in a storage are not entered', async () => {
  const walk = await walked(orderOf('/', { pending: ['/proc'], crossFileSystems: true }))
  expect(notEntered(walk)).toEqual({ '/proc': 'kernel:proc' })
})
