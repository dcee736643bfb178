import { newClock } from '#agent/simulator/clock.ts'
import { fingerprintOf } from '#agent/simulator/listen.ts'
import { newContentFolder } from '#agent/simulator/options.ts'
import { simulate } from '#agent/simulator/simulate.ts'
import {
  addCollection,
  type Collection,
  fillCollections,
  filesOf,
  type Iconik,
  newIconik,
  pathOf,
  type Storage,
} from './contents.ts'
import { allRoles, type IconikOptions, switchesOf } from './options.ts'
import { newRateLimit } from './rateLimit.ts'
import { nameOf } from './routes.ts'
import { addStorage, fillStorages, type NewStorage, scanStorage } from './storages.ts'
import { answerUpload, uploadCallOf } from './uploads/addresses.ts'
import { failB2Address } from './uploads/b2.ts'

export type { IconikOptions, Readings, Role } from './options.ts'

export type IconikSimulator = Awaited<ReturnType<typeof startIconik>>

const [appId, token] = ['dataintell', 'planted-token']

/**
 * An iconik with one token on the loopback, and a host for uploads on another port. It begins without collections, and with two storages of
 * each method (`S3 1`, `S3 2`) as well as `Inactive`, `Failing`, `Read-only`, `No access`, `Not allowed`, `Keyframes` and `Proxies`.
 */
export async function startIconik(options: IconikOptions = {}) {
  const { roles = allRoles, tls, port = 0 } = options
  const clock = newClock(options.clock)
  const stored = newContentFolder('simulated-uploads-', options.folder)
  const iconik = newIconik({ clock, ...switchesOf(options) }, stored.folder)
  const limit = newRateLimit(iconik)
  const { urls, ...server } = await simulate({
    hosts: { api: { port, basePath: '/API', ...(tls && { tls }) }, upload: tls ? { tls } : {} },
    streams: ['upload'],
    callOf: (request) => (request.host === 'api' ? nameOf(request) : uploadCallOf(request)),
    secretNames: ['auth-token'],
    now: clock.now,
    onAnswer: options.onAnswer,
    onFault: ({ headers }) => failB2Address(iconik, headers.authorization),
    onClose() {
      clock.close()
      stored.remove()
    },
    answer: (request) => (request.host === 'api' ? limit.answer(request) : answerUpload(iconik, request)),
  })
  iconik.uploads.origin = urls.upload
  iconik.tokens.set(token, { appId, userId: iconik.newId(), roles: new Set(roles), isRevoked: false })
  fillStorages(iconik)
  return {
    ...server,
    ...contentsOf(iconik),
    /** Address without path, as in `ICONIK_URL`. */
    url: new URL(urls.api).origin,
    uploadUrl: urls.upload,
    fingerprint: tls && fingerprintOf(tls),
    appId,
    token,
    /** The next API requests get status 429. */
    limitNext: limit.refuseNext,
    requestsOf: (call: string) => server.requests.filter((request) => request.call === call),
    /** Requests that sent an application's id or token to the upload host. */
    leaks: () =>
      server.requests.filter(
        ({ host, headers }) => host === 'upload' && ('app-id' in headers || 'auth-token' in headers),
      ),
  }
}

/** Contents, which tests may change directly. */
function contentsOf(iconik: Iconik) {
  const { uploads, externalIds, ...contents } = iconik
  const { collections, storages, assets } = contents
  return {
    ...contents,
    addCollection: (values?: Partial<Collection>) => addCollection(iconik, values),
    fillCollections: (count: number) => fillCollections(iconik, count),
    addStorage: (values?: NewStorage): Storage => addStorage(iconik, values),
    /** Storage with this name, such as `S3 1`. */
    storageNamed(name: string): Storage {
      const found = [...storages.values()].find((storage) => storage.name === name)
      if (!found) throw new Error(`No storage ${name}`)
      return found
    },
    /** The gateway of a storage scans now. */
    scan: (storage: Storage, paths?: string[]) => scanStorage(iconik, storage, paths),
    /** Each `external_id` of more than one asset, including deleted ones. */
    duplicates: (): string[] => [...externalIds].filter(([, count]) => count > 1).map(([id]) => id),
    /** Files that exist, with their assets, collections and uploaded bytes. */
    files: () =>
      filesOf(iconik).map((file) => ({
        title: assets.get(file.asset_id)?.title,
        externalId: assets.get(file.asset_id)?.externalId,
        collections: [...collections.values()]
          .filter(({ contents }) => contents.includes(file.asset_id))
          .map(({ id }) => id),
        storage: file.storage?.name,
        path: pathOf(file),
        status: file.status,
        size: file.size,
        stored: file.stored,
        uploadCount: file.uploadCount,
      })),
    /** The next body of a call, which is named as in `requests`, such as `s3.putPart`, is cut after this number of bytes. */
    cutUpload: (call: string, cutAfter: number) => uploads.addFault({ call, cutAfter }),
    /** GCS keeps only the first bytes of the next chunk, although all arrived. */
    shortenChunk: (keep: number) => uploads.addFault({ call: 'gcs.putChunk', keep }),
    /** Uploads with parts that are neither completed nor aborted. */
    openUploads: (): number =>
      [...uploads.s3.values()].filter(({ isCompleted }) => !isCompleted).length + uploads.b2.size + uploads.blocks.size,
  }
}
