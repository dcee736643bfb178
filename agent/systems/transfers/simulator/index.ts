import { newClock } from '#agent/simulator/clock.ts'
import { plainAndSecure, type SimulatorOptions } from '#agent/simulator/options.ts'
import { simulate } from '#agent/simulator/simulate.ts'
import { errorAnswer } from './answers.ts'
import { answerCall } from './calls/routes.ts'
import {
  addStorage,
  type NewStorage,
  newService,
  type OnFile,
  placeOf,
  type Service,
  type Storage,
  storageOf,
} from './contents/service.ts'
import { newFile, type StoredFile } from './contents/tree.ts'
import type { FaultStep } from './jobs/job.ts'
import { restartJobs } from './jobs/runJob.ts'
import { newTokens } from './tokens.ts'
import { defaultReadings, type Readings } from './unconfirmed.ts'

export type TransfersOptions = SimulatorOptions & {
  /** Seconds until a token expires. */
  tokenSeconds?: number
  /** Part of the base URL after the host, such as `/api`. */
  basePath?: string
  /** Variants of unconfirmed facts. */
  readings?: Partial<Readings>
  onFile?: OnFile
}

const client = { clientId: 'dataintell', clientSecret: 'planted-secret' }

export type TransfersSimulator = Awaited<ReturnType<typeof startTransfers>>

/** A SoDA transfer service on the loopback, with the contract of our adapter. With TLS, it has a second port. It begins without storages. */
export async function startTransfers(options: TransfersOptions = {}) {
  const { tokenSeconds: expirySeconds = 86_400 } = options
  const clock = newClock(options.clock)
  const readings = { ...defaultReadings(), ...options.readings }
  const service = newService(readings, clock, options.onFile)
  const tokens = newTokens({ ...client, expirySeconds, now: clock.now, readings })
  const throttled = errorAnswer(429, 'Too Many Requests')
  const { retryAfterSeconds: seconds } = readings
  const { urls, ...server } = await simulate({
    hosts: plainAndSecure(options, options.basePath),
    secretNames: ['client_secret', 'access_token'],
    throttled: seconds === undefined ? throttled : { ...throttled, headers: { 'retry-after': String(seconds) } },
    now: clock.now,
    onAnswer: options.onAnswer,
    onClose: clock.close,
    answer: (request) => answerCall(service, tokens, request),
  })
  return {
    ...server,
    ...contentsOf(service),
    url: urls.plain,
    /** Address with TLS, if it has one. */
    tlsUrl: urls.secure,
    ...client,
    clock,
    readings,
    /** Ends all tokens. */
    expireTokens: () => tokens.expire(),
    /** Starts again: connections are refused for some time, tokens are lost, and unfinished jobs have the state of the reading. */
    async restart(downMs = 0) {
      tokens.expire()
      restartJobs(service)
      await server.restart(downMs)
    },
  }
}

/** Contents of the service, which tests may change directly. */
function contentsOf(service: Service) {
  const { storages, jobs, clock, steps } = service
  return {
    storages,
    jobs,
    addStorage: (id: string, values?: NewStorage): Storage => addStorage(service, id, values),
    /** Adds or changes a file. */
    addFile(storageId: string, path: string, content: string | Buffer = path, modifiedAt = clock.now()): StoredFile {
      const file = newFile(content, modifiedAt)
      storageOf(service, storageId).tree.put(path, file)
      return file
    },
    /** File of a storage, with its size and checksum. */
    file: (storageId: string, path: string): StoredFile | undefined => storageOf(service, storageId).tree.get(path),
    /** Paths of all files of a storage. */
    paths: (storageId: string): string[] => storageOf(service, storageId).tree.below('/'),
    /** Number of times that a file was read as a source, written as a target, and deleted. */
    processed(storageId: string, path: string) {
      const count = (step: 'read' | 'write' | 'delete') => steps.count(placeOf({ id: storageId }, path), step)
      return { read: count('read'), written: count('write'), deleted: count('delete') }
    },
    /** The next steps of this kind of a file fail. For `write`, the file is that of the target. */
    failFile: (storageId: string, path: string, step: FaultStep, message = 'Permission denied', times = 1) =>
      steps.fail(placeOf({ id: storageId }, path), step, message, times),
    scriptNextJob: jobs.scriptNext,
  }
}
