import { expect, test } from 'vitest'
import { updatesAccess } from './accessTimes.ts'
import { mountsIn } from './mounts.ts'

const updates = (options: string, type: string) => {
  const [mount] = mountsIn(`41 27 8:1 / /data ${options} shared:1 - ${type} /dev/sda1 rw`)
  return mount && updatesAccess(mount)
}

test('a disk updates access times unless it is mounted without', () => {
  expect(updates('rw,relatime', 'ext4')).toBe(true)
  expect(updates('rw', 'xfs')).toBe(true)
  expect(updates('rw,nodiratime,relatime', 'xfs')).toBe(true)
  expect(updates('rw,nosuid,noatime', 'xfs')).toBe(false)
  expect(updates('rw,noatime', 'zfs')).toBe(false)
})

test('of a share, a layered file system, or one that is read only it is unknown', () => {
  expect(updates('rw,noatime', 'nfs4')).toBe(undefined)
  expect(updates('rw,relatime', 'cifs')).toBe(undefined)
  expect(updates('rw,relatime', 'overlay')).toBe(undefined)
  expect(updates('ro,noatime', 'ext4')).toBe(undefined)
})
