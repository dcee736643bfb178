import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import type { IconikConnection } from '#events/actions/iconik.ts'
import type { UploadOrder } from '#events/actions/orders.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import type { ActionContext } from '../../actions/action.ts'
import { type Attempt, runAttempt, simulatedTime, untilComplete } from '../../actions/testing/attempts.ts'
import { type FileList, newFileList } from '../../actions/testing/fileList.ts'
import type { IconikOptions, IconikSimulator } from './simulator/index.ts'
import { simulator } from './simulator/testing.ts'
import { defaultTiming, type Sizes, type Timing } from './timing.ts'
import { openUpload } from './upload.ts'

const KiB = 1_024

/** Small parts, with limits of the simulated storages that match. */
export const partBytes = 4 * KiB
export const sizes: Sizes = {
  s3Part: partBytes,
  gcsChunk: partBytes,
  b2Small: partBytes,
  b2Part: partBytes,
  azureSmall: partBytes,
  azureBlock: partBytes,
}
const behavior = { s3MinPartBytes: partBytes, b2MinPartBytes: partBytes, gcsChunkBytes: KiB }

export const timingOf = ({ clock }: IconikSimulator): Timing => ({
  ...defaultTiming,
  requestsPerSecond: 1_000_000,
  ...simulatedTime(clock),
})

export const connectionTo = ({ url, appId }: IconikSimulator, token = 'planted-token'): IconikConnection => ({
  url,
  appId,
  token,
})

export type TestFile = { name: string; size: number }
export const threeFiles: TestFile[] = [
  { name: 'proj/day1/a.mov', size: 3 * partBytes + 7 },
  { name: 'proj/b.wav', size: 100 },
  { name: 'c', size: 2 * partBytes },
]

/** Bytes that differ from file to file, and from part to part. */
function bytesOf({ name, size }: TestFile): Buffer {
  const block = createHash('sha512').update(name).digest()
  return Buffer.from(Uint8Array.from({ length: size }, (_, i) => (block[i % block.length] ?? 0) ^ ((i >> 9) & 0xff)))
}

/** A simulator, and files of this machine below the mount point of its gateway `FILE 1`. */
export async function withFiles(files: TestFile[] = threeFiles, options: IconikOptions = {}) {
  const iconik = await simulator({ ...options, behavior: { ...behavior, ...options.behavior } })
  const folder = testFolder('uploads')
  for (const file of files) {
    mkdirSync(dirname(join(folder, file.name)), { recursive: true })
    writeFileSync(join(folder, file.name), bytesOf(file))
  }
  const gateway = iconik.storageNamed('FILE 1')
  gateway.folder = folder
  gateway.settings.mount_point = folder
  return { iconik, folder, list: listOf(folder, files), collection: iconik.addCollection({ title: 'Dailies' }) }
}

/** A list as the server plans it. */
export const listOf = (folder: string, files: Pick<TestFile, 'name'>[]): FileList =>
  newFileList(
    files.map(({ name }) => {
      const path = join(folder, name)
      const { size, mtimeMs } = statSync(path)
      const place = `/${name}`
      return { place, pathInStorage: place, path, size, modified: Math.floor(mtimeMs / 1_000) }
    }),
  )

export type Run = Omit<Attempt, 'onProgress'> & {
  storage?: string
  collectionId?: string | null
  token?: string
  sizes?: Sizes
  onProgress?: (bytes: number) => void
}

/** One attempt of the agent. */
export async function run(iconik: IconikSimulator, list: FileList, options: Run = {}): Promise<void> {
  const { storage = 'S3 1', collectionId = null, token, onProgress, sizes: used = sizes, ...attempt } = options
  const { id: storageId, method: storageType } = iconik.storageNamed(storage)
  const connection = connectionTo(iconik, token)
  const system: UploadOrder = { kind: 'upload', connection, collectionId, storageId, storageType }
  const open = (context: ActionContext) => openUpload(system, context, { timing: timingOf(iconik), sizes: used })
  await runAttempt(list, system, open, {
    ...attempt,
    onProgress: ({ bytesInProgress }) => bytesInProgress !== undefined && onProgress?.(bytesInProgress),
  })
}

/** Runs attempts until one ends without a crash, the first one with a crash. */
export const runWithCrash = (iconik: IconikSimulator, list: FileList, { crash, ...options }: Run): Promise<number> =>
  untilComplete((attempt) => run(iconik, list, attempt === 1 ? { ...options, crash } : { ...options, attempt }))

export const statesOf = ({ listed }: FileList) => listed.map(({ state, reason }) => `${state} ${reason}`.trim())
export const allDone = ({ listed }: FileList): boolean => listed.every(({ state }) => state === 'done')

/** Files in Iconik by their path: status, and checksum of the bytes that the storage has. */
export const storedIn = (iconik: IconikSimulator) =>
  Object.fromEntries(iconik.files().map(({ path, status, stored }) => [path, [status, stored?.sha256 ?? 'none']]))

/** The same as it should be. */
export const expectedFrom = (folder: string, files: TestFile[]) =>
  Object.fromEntries(
    files.map(({ name, size }) => {
      const sha256 = createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')
      return [name, ['CLOSED', size === 0 ? 'none' : sha256]]
    }),
  )

export type Prepared = Awaited<ReturnType<typeof withFiles>>

/** The files of `withFiles` are in Iconik once, in the collection once, and complete. */
export function expectOnce({ iconik, folder, list, collection }: Prepared, hasBytes = true): void {
  const files = iconik.files().filter(({ status }) => status !== 'FAILED')
  expect(statesOf(list)).toEqual(threeFiles.map(() => 'done'))
  expect(files.map(({ path }) => path).sort()).toEqual(threeFiles.map(({ name }) => name).sort())
  if (hasBytes) expect(storedIn(iconik)).toEqual(expectedFrom(folder, threeFiles))
  expect(files.map(({ status }) => status)).toEqual(threeFiles.map(() => 'CLOSED'))
  expect(new Set(files.map(({ uploadCount }) => uploadCount))).toEqual(new Set([hasBytes ? 1 : 0]))
  expect([...iconik.assets.values()].filter(({ status }) => status === 'ACTIVE')).toHaveLength(3)
  expect(new Set(collection.contents).size).toBe(collection.contents.length)
  expect([iconik.duplicates(), iconik.leaks(), iconik.openUploads()]).toEqual([[], [], 0])
}
