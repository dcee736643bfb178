import { newClock } from '#agent/simulator/clock.ts'
import { fingerprintOf } from '#agent/simulator/listen.ts'
import { newContentFolder, type SimulatorOptions } from '#agent/simulator/options.ts'
import { simulate } from '#agent/simulator/simulate.ts'
import { basePath, nameOf } from './answerCall.ts'
import { type Behavior, defaultBehavior } from './behavior.ts'
import { filesOf, pathOf } from './contents/assets.ts'
import { addCollection, fillCollections, type NewCollection } from './contents/collections.ts'
import { scanRegularly, scanStorage } from './contents/gateway.ts'
import { newIconik } from './contents/newIconik.ts'
import { allRoles, type Iconik, type Role, type Token } from './contents/iconik.ts'
import { abortJob } from './contents/jobs.ts'
import { addStorage, fillStorages, type NewStorage, type Storage } from './contents/storages.ts'
import { newRateLimit } from './rateLimit.ts'
import { defaultReadings, type Readings } from './unconfirmed.ts'
import { failB2Address } from './uploads/b2.ts'
import { answerUpload, uploadCallOf } from './uploads/answerUpload.ts'

/** The upload host has a port of its own. */
export type IconikOptions = SimulatorOptions & {
  appId?: string
  token?: string
  /** Roles of the token. By default, all of them. */
  roles?: Role[]
  behavior?: Partial<Behavior>
  /** Variants of unconfirmed facts. */
  readings?: Partial<Readings>
}

export type IconikSimulator = Awaited<ReturnType<typeof startIconik>>

/**
 * An iconik with one token on the loopback, and a host for uploads on another port. It begins without collections, and with two storages of
 * each method (`S3 1`, `S3 2`) as well as `Inactive`, `Failing`, `Read-only`, `No access`, `Not allowed`, `Keyframes` and `Proxies`.
 */
export async function startIconik(options: IconikOptions = {}) {
  const { appId = 'dataintell', token = 'planted-token', roles = [...allRoles], tls, port = 0, onAnswer } = options
  const clock = newClock(options.clock)
  const behavior: Behavior = { ...defaultBehavior(), ...options.behavior }
  const readings: Readings = { ...defaultReadings(), ...options.readings }
  const stored = newContentFolder('simulated-uploads-')
  const iconik = newIconik({ clock, behavior, readings }, stored.folder)
  const limit = newRateLimit(iconik)
  const { urls, ...server } = await simulate({
    hosts: { api: { port, basePath, ...(tls && { tls }) }, upload: tls ? { tls } : {} },
    streams: ['upload'],
    callOf: (request) => (request.host === 'api' ? nameOf(request) : uploadCallOf(request)),
    secretNames: ['auth-token'],
    now: clock.now,
    onAnswer,
    onClose() {
      clock.close()
      stored.remove()
    },
    onFault: ({ headers }) => failB2Address(iconik, headers.authorization),
    answer: (request) => (request.host === 'api' ? limit.answer(request) : answerUpload(iconik, request)),
  })
  iconik.uploads.origin = urls.upload
  const contents = contentsOf(iconik)
  contents.addToken(token, { appId, roles: new Set(roles) })
  fillStorages(iconik)
  for (const added of iconik.storages.values()) scanRegularly(iconik, added)
  return {
    /** Address without path, as in `ICONIK_URL`. */
    url: new URL(urls.api).origin,
    /** Base address of all calls, with a slash at the end. */
    apiUrl: `${urls.api}/`,
    uploadUrl: urls.upload,
    fingerprint: fingerprintOf(tls),
    appId,
    token,
    clock,
    behavior,
    readings,
    ...server,
    ...contents,
    ...uploadFaults(iconik),
    files: () => describeFiles(iconik),
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
  const { tokens, collections, storages, assets, jobs, externalIds } = iconik
  return {
    tokens,
    collections,
    storages,
    assets,
    jobs,
    addToken(text: string, values: Partial<Token> = {}): Token {
      const userId = iconik.newId()
      const added = {
        appId: 'dataintell',
        userId,
        roles: new Set(allRoles),
        isRevoked: false,
        expiresAt: Infinity,
        ...values,
      }
      tokens.set(text, added)
      return added
    },
    addCollection: (values?: NewCollection) => addCollection(iconik, values),
    /** Adds this number of collections, always the same ones: their titles repeat, and some are hidden or deleted. */
    fillCollections: (count: number) => fillCollections(iconik, count),
    addStorage(values?: NewStorage): Storage {
      const added = addStorage(iconik, values)
      scanRegularly(iconik, added)
      return added
    },
    /** Storage with this name, such as `S3 1`. */
    storageNamed(name: string): Storage {
      const found = [...storages.values()].find((storage) => storage.name === name)
      if (!found) throw new Error(`No storage ${name}`)
      return found
    },
    /** The gateway of a storage scans now. */
    scan: (storage: Storage, paths?: string[]) => scanStorage(iconik, storage, paths),
    /** A user aborts a job in iconik. */
    abortJob: (id: string) => [jobs.get(id)].forEach((job) => job && abortJob(job)),
    /** Number of assets created with an `external_id`, including deleted ones. */
    createdCount: (externalId: string): number => externalIds.get(externalId) ?? 0,
    /** Each `external_id` of more than one asset. */
    duplicates: (): string[] => [...externalIds].filter(([, count]) => count > 1).map(([id]) => id),
  }
}

/** Files that exist, with their assets, collections and uploaded bytes. */
const describeFiles = ({ assets, collections }: Iconik) =>
  filesOf({ assets }).map((file) => ({
    title: assets.get(file.assetId)?.title,
    externalId: assets.get(file.assetId)?.externalId,
    collections: [...collections.values()]
      .filter(({ contents }) => contents.includes(file.assetId))
      .map(({ id }) => id),
    storage: file.storage?.name,
    path: pathOf(file),
    status: file.status,
    size: file.size,
    stored: file.stored,
    uploadCount: file.uploadCount,
  }))

/** Faults in the middle of the body of uploads. Calls are named as in `requests`, such as `s3.putPart`. */
function uploadFaults({ uploads }: Iconik) {
  return {
    /** The next body of this call is cut after this number of bytes. */
    cutUpload: (call: string, cutAfter: number) => uploads.addFault({ call, cutAfter }),
    /** GCS keeps only the first bytes of the next chunk, although all arrived. */
    shortenChunk: (keep: number) => uploads.addFault({ call: 'gcs.putChunk', keep }),
    /** Uploads with parts that are neither completed nor aborted. */
    openUploads: (): number =>
      [...uploads.s3.values()].filter(({ completed }) => !completed).length + uploads.b2.size + uploads.blocks.size,
  }
}
