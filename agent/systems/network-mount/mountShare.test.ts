import { expect, test } from 'vitest'
import { mountsIn } from './mountShare.ts'

test('what the kernel says of mounts is read, with odd names and with or without optional fields', () => {
  const text = String.raw`24 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
90 24 0:52 / /var/lib/a\040b\134c/Ünique/7-x ro,nosuid,nodev,noexec - cifs //nas/media\040x ro,vers=3.1.1
91 24 0:53 /x /mnt ro shared:2 master:3 - fuse.rclone s:media rw
odd`
  expect(mountsIn(text)).toEqual([
    { id: 24, point: '/', type: 'ext4' },
    { id: 90, point: '/var/lib/a b\\c/Ünique/7-x', type: 'cifs' },
    { id: 91, point: '/mnt', type: 'fuse.rclone' },
  ])
})
