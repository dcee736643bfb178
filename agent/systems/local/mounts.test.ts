import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { mountOf, mountsIn, serverOf, serverOfMount, visibleMounts } from './mounts.ts'

test('mounts of the kernel are read, with odd names and with or without optional fields', () => {
  const text = String.raw`24 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
90 24 0:52 / /var/lib/a\040b\134c/Ünique/7-x ro,nosuid,nodev,noexec - cifs //nas/media\040x ro,vers=3.1.1
91 24 0:53 /x /mnt ro shared:2 master:3 - fuse.rclone s:media rw
odd`
  expect(mountsIn(text)).toEqual([
    {
      id: 24,
      parent: 1,
      device: '8:1',
      root: '/',
      point: '/',
      options: ['rw', 'relatime'],
      type: 'ext4',
      source: '/dev/sda1',
    },
    {
      id: 90,
      parent: 24,
      device: '0:52',
      root: '/',
      point: '/var/lib/a b\\c/Ünique/7-x',
      options: ['ro', 'nosuid', 'nodev', 'noexec'],
      type: 'cifs',
      source: '//nas/media x',
    },
    {
      id: 91,
      parent: 24,
      device: '0:53',
      root: '/x',
      point: '/mnt',
      options: ['ro'],
      type: 'fuse.rclone',
      source: 's:media',
    },
  ])
})

test('a mount that another one covers is not visible, nor is one on it', () => {
  const visible = visibleMounts(
    mountsIn(`22 27 0:21 / /proc rw - proc proc rw
24 27 0:6 / /dev rw - devtmpfs devtmpfs rw
25 24 0:23 / /dev/shm rw - tmpfs tmpfs rw
27 1 254:0 / / rw - ext4 /dev/vda rw
30 25 0:27 / /dev/shm rw - tmpfs tmpfs rw
40 27 8:1 / /data/in rw - xfs /dev/sda1 rw
41 40 8:2 / /data/in/side rw - xfs /dev/sda2 rw
42 27 8:3 / /data rw - xfs /dev/sda3 rw`),
  )
  expect(visible.map(({ id }) => id)).toEqual([22, 24, 27, 30, 42])
  expect(mountOf('/dev/shm/x', visible)?.id).toBe(30)
  expect(mountOf('/data/in/side', visible)?.id).toBe(42)
  expect(mountOf('/database', visible)?.id).toBe(27)
})

test.each([
  ['nas1:/export', 'nas1'],
  ['NAS1.example:/', 'nas1.example'],
  ['[fd00::1]:/export/media', 'fd00::1'],
  ['//nas1/share', 'nas1'],
  ['//Nas1/media x/deep', 'nas1'],
  ['//user@nas1/media', 'nas1'],
  ['user@nas1:/home', 'nas1'],
  ['/dev/sda1', '8:1'],
  ['tank/media', '8:1'],
  ['s:media', '8:1'],
  ['10.0.0.1:6789,10.0.0.2:6789:/', '8:1'],
  ['', '8:1'],
])('the server of a mount of %j is %j', (source, server) => {
  expect(serverOfMount({ source, device: '8:1' })).toBe(server)
})

test('folders of one file system have the same server, also by a symbolic link', async () => {
  const folder = testFolder('servers')
  mkdirSync(join(folder, 'films'))
  symlinkSync(join(folder, 'films'), join(folder, 'link'))
  const server = await serverOf(folder)
  expect(server).not.toBe('')
  expect(await serverOf(join(folder, 'films'))).toBe(server)
  expect(await serverOf(join(folder, 'link'))).toBe(server)
  expect(await serverOf('/proc')).not.toBe(server)
})
