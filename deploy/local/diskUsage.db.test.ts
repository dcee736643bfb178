import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Project } from '#events/projects/calls.ts'
import type { DetailedVolume } from '#events/storages.ts'
import { copyMigratedEngine, testDatabaseUrl, testDb, testFolder } from '#server/platform/testing/stores.ts'
import { type Product, startProduct } from './testing.ts'
import { diskUsage, inFolder, mountDisk, shell, unmountAll, usedBytes } from './testing/mountedDisks.ts'

/*
 * Sizes of the product next to those of `du`, `du --apparent-size` and `df`, on file systems that are mounted for the test. `du` counts
 * the folders' own entries, too; these are subtracted.
 */

const scratch = testFolder('diskUsage')
const [ext4, memory, btrfs, tmpfs] = inFolder(scratch, 'ext4', 'ext4/memory', 'btrfs', 'tmpfs') as [
  string,
  string,
  string,
  string,
]
const noExt4 = mountDisk(ext4, 'ext4') ?? mountDisk(memory, 'tmpfs')
const noBtrfs = mountDisk(btrfs, 'btrfs')
const noTmpfs = mountDisk(tmpfs, 'tmpfs')
const mib = 2 ** 20

const sparse =
  'truncate -s 1G sparse/disk.raw; head -c 1M /dev/urandom | dd of=sparse/disk.raw bs=1M seek=500 conv=notrunc status=none'
/** Three days of backups, in which unchanged files are hard links, as by `rsync --link-dest`. */
const backups = `
  head -c 8M /dev/urandom > backup/monday/film; head -c 100k /dev/urandom > backup/monday/log
  cp -al backup/monday/film backup/tuesday/film; head -c 200k /dev/urandom > backup/tuesday/log
  cp -al backup/tuesday/film backup/wednesday/film; head -c 300k /dev/urandom > backup/wednesday/log`

if (!noExt4)
  shell(`cd ${ext4}; mkdir -p sparse backup/monday backup/tuesday backup/wednesday ahead many; ${sparse}; ${backups}
    touch ahead/empty; fallocate --keep-size --length 4M ahead/empty
    for n in $(seq 200); do echo $n > many/$n; done; head -c 5M /dev/urandom > memory/cache; sync`)
if (!noBtrfs)
  shell(`cd ${btrfs}; btrfs -q subvolume create share; head -c 10M /dev/urandom > share/film; sync
    btrfs -q subvolume snapshot share share-monday; mkdir packed; chattr +c packed; head -c 20M /dev/zero > packed/zeros
    cp --reflink=always share/film copy; sync`)
if (!noTmpfs) shell(`cd ${tmpfs}; for n in 1 2 3; do truncate -s 1P $n; done; head -c 2M /dev/urandom > real`)

let product: Product
const db = await testDb()
const volumes = new Map<string, number>()
afterAll(async () => {
  await product?.stop()
  unmountAll()
})

beforeAll(async () => {
  const data = join(scratch, 'data')
  await copyMigratedEngine(join(data, 'clickhouse'))
  product = await startProduct(data, { environment: { DATABASE_URL: await testDatabaseUrl() } })
  const disks = [...(noExt4 ? [] : [ext4, memory]), ...(noBtrfs ? [] : [btrfs]), ...(noTmpfs ? [] : [tmpfs])]
  for (const path of disks) volumes.set(path, await product.addStorage({ name: path.slice(scratch.length + 1), path }))
  await product.call('POST', '/v1/scans/volumes/ids', [...volumes.values()])
  await vi.waitUntil(async () => (await unfinished()) === 0, 240_000)
}, 300_000)

const unfinished = async () =>
  (await db.selectFrom('scans').select('id').where('finishedAt', 'is', null).execute()).length

/** Sizes of a storage: on disk, apparent, and those that costs are for. */
async function storageSizes(path: string) {
  const { answer } = await product.call('GET', `/v1/detailedVolumes/${volumes.get(path)}`)
  const {
    sizeOfFiles,
    sizeOnDisk = sizeOfFiles,
    billedSize = sizeOfFiles,
  } = (answer as { elements: DetailedVolume[] }).elements[0]!
  return { onDisk: sizeOnDisk, apparent: sizeOfFiles, billed: billedSize }
}

const byDu = (...folders: string[]) => {
  const onDisk = diskUsage(folders)
  return { onDisk, apparent: diskUsage(folders, '--apparent-size'), billed: onDisk }
}

async function project(name: string, storage: string, ...paths: string[]): Promise<Project> {
  const volumeId = volumes.get(storage)
  const folders = paths.map((path) => ({ volumeId, path: `/${path}` }))
  const { answer } = await product.call('POST', '/projects', { name, allocatedSize: 1e9, paths: folders })
  const read = async () =>
    (await product.call('GET', `/v1/projects/${(answer as { id: number }).id}`)).answer as Project
  await expect.poll(async () => (await read()).loadingReport, { timeout: 120_000 }).toBe(false)
  return read()
}

const sizesOf = ({ sizeOfFiles, apparentSize = sizeOfFiles }: Project) => ({
  onDisk: sizeOfFiles,
  apparent: apparentSize,
  billed: sizeOfFiles,
})

test.skipIf(noExt4)(
  `ext4 with a sparse file, backups and a tmpfs inside is as in du${noExt4 ? `: ${noExt4}` : ''}`,
  async () => {
    const sizes = await storageSizes(ext4)
    expect(sizes).toEqual(byDu(ext4))
    expect(sizes.apparent).toBeGreaterThan(1024 * mib)
    expect(sizes.onDisk).toBeLessThan(16 * mib)
    expect(Math.abs(usedBytes(ext4) - sizes.onDisk)).toBeLessThan(mib)
    expect(await storageSizes(memory)).toEqual(byDu(memory))
  },
)

test.skipIf(noExt4)(`projects are as in du of their folders together${noExt4 ? `: ${noExt4}` : ''}`, async () => {
  const cases: Record<string, string[]> = {
    'All backups': ['backup'],
    'Two days': ['backup/monday', 'backup/tuesday'],
    'Days in another order': ['backup/wednesday', 'backup/monday', 'backup/tuesday'],
    'One day': ['backup/tuesday'],
    'Preallocated, small and sparse': ['ahead', 'many', 'sparse'],
  }
  const counted: object[] = []
  const expected: object[] = []
  for (const [name, paths] of Object.entries(cases)) {
    counted.push({ name, ...sizesOf(await project(name, ext4, ...paths)) })
    expected.push({ name, ...byDu(...inFolder(ext4, ...paths)) })
  }
  expect(counted).toEqual(expected)
})

test.skipIf(noBtrfs)(
  `btrfs with a subvolume, a snapshot, a reflink and compression is as in du${noBtrfs ? `: ${noBtrfs}` : ''}`,
  async () => {
    const sizes = await storageSizes(btrfs)
    const du = inFolder(btrfs, 'share', 'share-monday', 'packed', 'copy')
    expect(sizes).toEqual(byDu(...du))
    // Shared and compressed extents are only known to the file system.
    expect(sizes.onDisk).toBeGreaterThan(usedBytes(btrfs))
    expect(sizesOf(await project('Both', btrfs, 'share', 'share-monday'))).toEqual(byDu(...du.slice(0, 2)))
  },
)

test.skipIf(noTmpfs)(`files without content cost nothing${noTmpfs ? `: ${noTmpfs}` : ''}`, async () => {
  const sizes = await storageSizes(tmpfs)
  expect(sizes).toEqual(byDu(tmpfs))
  expect(sizes).toMatchObject({ onDisk: 2 * mib, billed: 2 * mib, apparent: 3 * 2 ** 50 + 2 * mib })
})
