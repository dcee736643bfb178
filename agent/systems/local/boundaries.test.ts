import { expect, test } from 'vitest'
import { findBoundaries } from './boundaries.ts'
import { mountsIn } from './mounts.ts'

const boundariesOf = (root: string, mounts: string, includesMounted = false) =>
  Object.fromEntries(findBoundaries(root, mountsIn(mounts), includesMounted).notEntered)

const btrfs = `30 1 0:30 /@ / rw - btrfs /dev/nvme0n1p2 rw,subvolid=256,subvol=/@
31 30 0:30 /@home /home rw - btrfs /dev/nvme0n1p2 rw,subvolid=257,subvol=/@home
32 30 0:40 / /backup rw - btrfs /dev/sdb rw,subvolid=5,subvol=/
33 30 0:30 / /mnt/top rw - btrfs /dev/nvme0n1p2 rw,subvolid=5,subvol=/
34 30 0:21 / /proc rw - proc proc rw
35 30 0:22 / /sys rw - sysfs sysfs rw
36 35 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw
37 30 0:41 / /tmp rw - tmpfs tmpfs rw`

test('subvolumes of the same btrfs are entered, and other file systems are not', () => {
  expect(boundariesOf('/', btrfs)).toEqual({
    '/backup': 'fileSystem:btrfs',
    '/mnt/top': 'sameFolder:/',
    '/proc': 'kernel:proc',
    '/sys': 'kernel:sysfs',
    '/tmp': 'fileSystem:tmpfs',
  })
  expect(boundariesOf('/home', btrfs)).toEqual({})
})

test('file systems of the kernel are not entered even if mounted ones are', () => {
  expect(boundariesOf('/', btrfs, true)).toEqual({
    '/mnt/top': 'sameFolder:/',
    '/proc': 'kernel:proc',
    '/sys': 'kernel:sysfs',
  })
})

test('datasets of the same ZFS pool are entered, other pools and snapshots are not', () => {
  const zfs = `30 1 8:1 / / rw - ext4 /dev/sda1 rw
40 30 0:50 / /tank rw - zfs tank rw,xattr,noacl
41 40 0:51 / /tank/media rw - zfs tank/media rw,xattr,noacl
42 41 0:52 / /tank/media/raw rw - zfs tank/media/raw rw,xattr,noacl
43 40 0:53 / /tank/old rw - zfs tank2/old rw,xattr,noacl
44 41 0:54 / /tank/media/.zfs/snapshot/daily ro - zfs tank/media@daily ro,xattr,noacl`
  const outside = { '/old': 'fileSystem:zfs', '/media/.zfs/snapshot/daily': 'fileSystem:zfs' }
  expect(boundariesOf('/tank', zfs)).toEqual(outside)
  expect(boundariesOf('/tank', zfs, true)).toEqual({ '/media/.zfs/snapshot/daily': 'fileSystem:zfs' })
  expect(boundariesOf('/', zfs)).toEqual({ '/tank': 'fileSystem:zfs' })
})

test('a folder that is mounted a second time is not entered again', () => {
  const bound = `30 1 8:1 / / rw - ext4 /dev/sda1 rw
40 30 8:16 / /data rw - xfs /dev/sdb rw
41 40 8:16 /projects /data/by-name/projects rw - xfs /dev/sdb rw
42 40 8:16 / /data/loop rw - xfs /dev/sdb rw
43 40 8:32 / /data/nas rw - nfs4 nas:/export rw
44 40 8:32 /shows /data/shows rw - nfs4 nas:/export/shows rw`
  expect(boundariesOf('/data', bound, true)).toEqual({
    '/by-name/projects': 'sameFolder:/projects',
    '/loop': 'sameFolder:/',
  })
  expect(boundariesOf('/data/by-name', bound)).toEqual({})
})

test('entries below a file system that is not entered need no reason of their own', () => {
  const nested = `30 1 8:1 / / rw - ext4 /dev/sda1 rw
40 30 8:2 / /srv rw - xfs /dev/sda2 rw
41 40 8:3 / /srv/inner rw - xfs /dev/sda3 rw
42 30 0:60 / /var/lib/docker/overlay2/x/merged rw - overlay overlay rw
43 30 0:61 / /mnt/auto rw - autofs systemd-1 rw
44 30 7:1 / /snap/core/1 ro - squashfs /dev/loop1 ro`
  expect(boundariesOf('/', nested)).toEqual({
    '/srv': 'fileSystem:xfs',
    '/var/lib/docker/overlay2/x/merged': 'fileSystem:overlay',
    '/mnt/auto': 'fileSystem:autofs',
    '/snap/core/1': 'fileSystem:squashfs',
  })
})
