import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { usedShare } from '#events/capacity.ts'
import { tryMountImage } from '../../testing/realMounts.ts'
import { capacityOf, diskOf } from './capacity.ts'
import { mountsIn } from './mounts.ts'

/** Output of `df` for a folder: bytes, and the percentage that it prints. */
function df(folder: string) {
  const printed = execFileSync('df', ['-B1', '--output=size,used,avail,pcent', folder], { encoding: 'utf8' })
  const [total = 0, used = 0, free = 0, percent = 0] = printed.split('\n')[1]?.match(/\d+/g)?.map(Number) ?? []
  return { total, used, free, percent }
}

const shared = mkdtempSync('/dev/shm/capacity-')
afterAll(() => rmSync(shared, { recursive: true, force: true }))

test.runIf(process.platform === 'linux').each(['/', '/dev/shm'])('%s has what df says of it', async (folder) => {
  const tolerance = 256 * 1024 ** 2
  const found = await capacityOf(folder)
  const reported = df(folder)
  expect(found?.total).toBe(reported.total)
  for (const size of ['used', 'free'] as const)
    expect(Math.abs((found?.[size] ?? 0) - reported[size]), `${size} of ${folder}`).toBeLessThan(tolerance)
  const percent = Math.ceil((found ? (usedShare(found) ?? 0) : 0) * 100)
  expect(Math.abs(percent - reported.percent)).toBeLessThanOrEqual(1)
})

test('folders of one disk name the same file system, and folders of another disk another one', async () => {
  writeFileSync(join(shared, 'some'), 'x'.repeat(1_000_000))
  const names = await Promise.all(['/dev/shm', shared, '/'].map(async (at) => (await capacityOf(at))?.fileSystem))
  expect(names[1]).toBe(names[0])
  expect(names[2]).not.toBe(names[0])
})

/** The disks of folders on made-up mounts, which have these used and free bytes. */
async function disksOf(mounts: string, sizes: Record<string, [used: number, free: number]>, folders: string[]) {
  const read = mountsIn(mounts)
  const sizesAt = async (point: string) => {
    const [used, free] = sizes[point] ?? []
    if (used === undefined || free === undefined) throw new Error(`No permission for ${point}`)
    return { total: used + free, used, free }
  }
  const own = { total: 100, used: 10, free: 90 }
  return Promise.all(folders.map(async (at) => diskOf(sizes[at] ? await sizesAt(at) : own, at, read, sizesAt)))
}

const btrfs = `30 1 0:30 /@ / rw - btrfs /dev/nvme0n1p2 rw,subvolid=256,subvol=/@
31 30 0:30 /@home /home rw - btrfs /dev/nvme0n1p2 rw,subvolid=257,subvol=/@home
32 30 0:40 / /backup rw - btrfs /dev/sdb rw,subvolid=5,subvol=/`

test('subvolumes of a btrfs, mounted or not, are one disk, and another btrfs is another', async () => {
  const [root, home, nested, backup] = await disksOf(btrfs, {}, ['/', '/home', '/srv/subvolume/films', '/backup/a'])
  expect([home, nested]).toEqual([root, root])
  expect(root).toEqual({ total: 100, used: 10, free: 90, fileSystem: '/dev/nvme0n1p2' })
  expect(backup?.fileSystem).toBe('/dev/sdb')
})

test('a folder of a server that is mounted in two places is one disk', async () => {
  const nfs = `30 1 8:1 / / rw - ext4 /dev/sda1 rw
42 30 0:52 /shows /mnt/shows rw - nfs4 nas:/export/shows rw
43 30 0:52 / /mnt/all rw - nfs4 nas:/export rw
44 30 0:53 / /mnt/other rw - nfs4 nas:/other rw
45 30 0:54 / /mnt/fuse rw - fuse.x /dev/fuse rw
46 30 0:55 / /mnt/fuse2 rw - fuse.x /dev/fuse rw`
  const found = await disksOf(nfs, {}, ['/mnt/shows', '/mnt/all/x', '/mnt/other', '/srv', '/mnt/fuse', '/mnt/fuse2'])
  const expected = ['nas:/export', 'nas:/export', 'nas:/other', '/dev/sda1', 'fuse.x 0:54', 'fuse.x 0:55']
  expect(found.map(({ fileSystem }) => fileSystem)).toEqual(expected)
})

test('datasets of a ZFS pool are one disk with the used bytes of all, those with a quota are disks of their own', async () => {
  const zfs = `30 1 8:1 / / rw - ext4 /dev/sda1 rw
40 30 0:50 / /tank rw - zfs tank rw
41 40 0:51 / /tank/media rw - zfs tank/media rw
42 41 0:52 / /tank/media/raw rw - zfs tank/media/raw rw
43 40 0:53 / /tank/limited rw - zfs tank/limited rw
44 30 0:54 / /other rw - zfs tank2 rw
45 40 0:55 / /tank/closed rw - zfs tank/closed rw
46 41 0:56 / /tank/media/.zfs/snapshot/daily ro - zfs tank/media@daily ro
47 30 0:51 / /srv/media rw - zfs tank/media rw`
  const sizes = {
    '/tank': [1, 1_000],
    '/tank/media': [500, 1_001],
    '/srv/media': [500, 1_001],
    '/tank/media/raw': [200, 999],
    '/tank/limited': [40, 10],
    '/other': [7, 3],
    '/tank/media/.zfs/snapshot/daily': [400, 0],
  } satisfies Record<string, [number, number]>
  const [tank, media, raw, limited, other] = await disksOf(
    zfs,
    sizes,
    Object.keys(sizes).filter((at) => !/srv|zfs/.test(at)),
  )
  const pool = { used: 701, fileSystem: 'zfs tank' }
  expect([tank, media, raw]).toEqual([1_000, 1_001, 999].map((free) => ({ ...pool, free, total: 701 + free })))
  expect(limited).toEqual({ total: 50, used: 40, free: 10, fileSystem: 'tank/limited' })
  expect(other).toEqual({ total: 10, used: 7, free: 3, fileSystem: 'zfs tank2' })
})

const realBtrfs = tryMountImage('mkfs.btrfs -q')

test.runIf(realBtrfs)('subvolumes of a btrfs are one disk, although each has a device of its own', async () => {
  const subvolumes = ['a', 'b'].map((name) => join(realBtrfs!, name))
  for (const path of subvolumes) execFileSync('btrfs', ['subvolume', 'create', path])
  expect(new Set([realBtrfs!, ...subvolumes].map((path) => statSync(path).dev)).size).toBe(3)
  const disks = await Promise.all([realBtrfs!, ...subvolumes].map((path) => capacityOf(path)))
  expect(new Set(disks.map((disk) => disk?.fileSystem)).size).toBe(1)
})
