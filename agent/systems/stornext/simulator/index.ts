import type { Answer } from '#agent/simulator/answers.ts'
import { newClock } from '#agent/simulator/clock.ts'
import { fingerprintOf } from '#agent/simulator/listen.ts'
import { newContentFolder, plainAndSecure, type SimulatorOptions } from '#agent/simulator/options.ts'
import { simulate, type SimulatedRequest } from '#agent/simulator/simulate.ts'
import { readCall } from './calls/call.ts'
import { answerCall } from './calls/routes.ts'
import type { DriveTimes } from './contents/drives.ts'
import type { ManagedFile, NewFile } from './contents/managedFile.ts'
import type { Media, PolicyClass } from './contents/media.ts'
import { type FileStep, newStorageManager, type StorageManager } from './contents/storageManager.ts'
import { newSignIn, type SignIn, type SignInMode, type User } from './signIn.ts'
import { defaultReadings, type Failure, type Readings } from './unconfirmed.ts'

export type { Readings } from './unconfirmed.ts'

export type StorNextOptions = SimulatorOptions & {
  users?: User[]
  /** By default, with parameters. */
  signIn?: SignInMode
  /** Simulated time after which a Digest challenge is stale. */
  nonceMs?: number
  /** Variants of unconfirmed facts. */
  readings?: Partial<Readings>
  /** Folders of this machine by the paths of the server. Files elsewhere are in memory. */
  folders?: Record<string, string>
  drive?: Partial<DriveTimes>
  /** Serves the calls without `/sws/v2` before their paths. */
  isWithoutBasePath?: boolean
  /** Called after each completed step of a file. */
  onFile?: (path: string, step: FileStep) => void
}

export type StorNextSimulator = Awaited<ReturnType<typeof startStorNext>>

/**
 * A StorNext metadata controller with the Storage Manager web services V2 on the loopback. With TLS, it has a second port. It begins with
 * the class `media` (one copy) of /stornext/snfs1, and the tapes A00001L8 to A00003L8.
 */
export async function startStorNext(options: StorNextOptions = {}) {
  const { users = [{ username: 'dataintell', password: 'planted-password' }], signIn: mode = 'parameters' } = options
  const clock = newClock(options.clock)
  const tape = newContentFolder('simulated-tape-', options.folder)
  const manager = newStorageManager({
    readings: { ...defaultReadings(), ...options.readings },
    clock,
    times: { mountMs: 60_000, msPerBlock: 1, bytesPerSecond: 300e6, ...options.drive },
    folders: options.folders ?? {},
    tape,
    onFile: options.onFile,
  })
  const signIn = newSignIn({ mode, users, now: clock.now, nonceMs: options.nonceMs ?? 300_000 })
  const contents = contentsOf(manager)
  contents.addClass('media', { directories: ['/stornext/snfs1'] })
  for (const id of ['A00001L8', 'A00002L8', 'A00003L8']) contents.addMedia(id)
  const { urls, ...server } = await simulate({
    hosts: plainAndSecure(options, options.isWithoutBasePath ? '' : '/sws/v2'),
    secretNames: ['password'],
    now: clock.now,
    onAnswer: options.onAnswer,
    onClose() {
      clock.close()
      tape.remove()
    },
    answer: (request) => answerRequest(manager, signIn, request),
  })
  return {
    ...server,
    ...contents,
    /** Address without scheme and path, as `host` of a configuration. */
    host: new URL(urls.plain).host,
    url: urls.plain,
    /** Address with TLS, if it has one. */
    tlsUrl: urls.secure,
    fingerprint: options.tls && fingerprintOf(options.tls),
    clock,
    readings: manager.readings,
    /** Users, and the way in which they sign in. `expire` ends Digest sessions. */
    signIn,
    /** Moves to another controller: connections are refused for some time, running work stops, and jobs are forgotten. */
    async restart(downMs = 0) {
      dropWork(manager)
      signIn.expire()
      await server.restart(downMs)
    },
  }
}

async function answerRequest(manager: StorageManager, signIn: SignIn, request: SimulatedRequest): Promise<Answer> {
  const call = readCall(request, manager.readings)
  const user = signIn.userOf(request, call.value)
  return answerCall(manager, call, user?.isReadOnly ?? false)
}

/** Ends all work at its current file. */
function dropWork(manager: StorageManager): void {
  manager.run++
  manager.drive.clear()
  manager.jobs.forgetAll()
}

/** Contents of the server, which tests may change directly. */
function contentsOf(manager: StorageManager) {
  const { files, classes, media, jobs, steps, drive } = manager
  return {
    files,
    classes,
    media,
    jobs,
    addFile: (path: string, values: NewFile = {}): ManagedFile => files.add(path, values),
    addClass(name: string, values: Partial<Omit<PolicyClass, 'name'>> = {}): PolicyClass {
      const policyClass: PolicyClass = { name, directories: [], copies: 1, ...values }
      classes.set(name, policyClass)
      return policyClass
    },
    addMedia(mediaId: string, values: Partial<Media> = {}): Media {
      const tape = { mediaId, isOnline: true, nextBlock: 0, ...values }
      media.set(mediaId, tape)
      return tape
    },
    /** Number of times each step was completed for a file. */
    processed: (path: string): Record<FileStep, number> => ({
      store: steps.count(path, 'store'),
      retrieve: steps.count(path, 'retrieve'),
      relocate: steps.count(path, 'relocate'),
      truncate: steps.count(path, 'truncate'),
    }),
    failFile: (path: string, step: FileStep, failure: Failure, times = 1) => steps.fail(path, step, failure, times),
    scriptNextJob: jobs.scriptNext,
    /** A drive with the number of its mounts. It starts no task while it `isBusy`. */
    drive,
    /** Finished reads and writes of tapes, in their order. */
    tapeLog: drive.log,
  }
}
