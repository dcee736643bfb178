import { type Answer, Refused } from '#agent/simulator/answers.ts'
import type { Command, Job } from '../commands/jobs.ts'
import type { StorageManager } from '../contents/storageManager.ts'
import { Failed, failedResponse, type Response, successful } from '../statuses.ts'
import type { Readings } from '../unconfirmed.ts'
import { type Call, checkParameters, formatOf, required } from './call.ts'
import { removeDiskCopy, relocate, retrieve, store } from './fileCommands.ts'
import { fileInfo, tapeLocation } from './fileInfo.ts'
import { classInfo, directoryClass, mediaInfo, mediaList, quotas, systemInfo } from './inventory.ts'
import { rendered } from './render.ts'

type Route = {
  /** Names of parameters. A `*` after a name allows it more than once. Without a list, the call accepts any. */
  parameters?: string[]
  handle: (manager: StorageManager, call: Call) => object | Command
  changesFiles?: true
}

const filesOrDirectory = ['file*', 'directory', 'recursive']

const routes: Record<string, Route> = {
  'file/fsfileinfo': { parameters: ['file*', 'checksum'], handle: fileInfo },
  'file/fsfiletapeloc': { parameters: ['file'], handle: tapeLocation },
  'file/fsstore': { parameters: [...filesOrDirectory, 'copies'], handle: store, changesFiles: true },
  'file/fsretrieve': { parameters: filesOrDirectory, handle: retrieve, changesFiles: true },
  'file/fsretrieve/new': { parameters: ['file', 'newfile'], handle: relocate, changesFiles: true },
  'file/fsrmdiskcopy': { parameters: ['file*'], handle: removeDiskCopy, changesFiles: true },
  'policy/fsclassinfo': { parameters: ['policy'], handle: classInfo },
  'policy/fsdirclass': { parameters: ['directory'], handle: directoryClass },
  'media/fsmedinfo': { parameters: ['media*', 'verbose'], handle: mediaInfo },
  'media/fsmedlist/state': { handle: mediaList },
  'quota/snquota': { parameters: ['fsname', 'path', 'action'], handle: quotas },
  'system/info': { parameters: [], handle: systemInfo },
  'job/info': { parameters: ['job'], handle: jobInfo },
}

/** Answers a call, at the end of its work or with a job. Unknown and upper-case paths get status 404. */
export async function answerCall(manager: StorageManager, call: Call, isReadOnly: boolean): Promise<Answer> {
  const route = Object.hasOwn(routes, call.name) ? routes[call.name] : undefined
  if (!route) throw new Refused({ status: 404, body: 'Not Found' })
  const response = await responseOf(manager, call, route, isReadOnly).catch((error: unknown) => {
    if (error instanceof Failed) return failedResponse(manager.readings, error.failure, error.subject)
    throw error
  })
  return rendered(response, formatOf(call), manager.readings)
}

async function responseOf(manager: StorageManager, call: Call, route: Route, isReadOnly: boolean): Promise<object> {
  const { readings, jobs } = manager
  if (route.parameters) checkParameters(call, route.parameters)
  if (isReadOnly && route.changesFiles) refusePrivilege(manager, call)
  if (call.value('mode') !== undefined && readings.asyncMode === 'refuse') throw new Failed('bad parameter', 'mode')
  if (call.value('mode') !== undefined && readings.asyncMode === '400')
    throw new Refused({ status: 400, body: 'unknown parameter mode' })
  const handled = route.handle(manager, call)
  const command: Command =
    typeof handled === 'function' ? (handled as Command) : (end) => end(handled as Response, 'success')
  if (call.value('mode') !== 'async' || readings.asyncMode === 'ignore')
    return new Promise((resolve) => command(resolve))
  const type = call.value('jobtype') === 'slow' ? 'slow' : 'fast'
  const failed = failedResponse(readings, 'interrupted', call.value('file') ?? call.name)
  return firstAnswer(readings, jobs.submit(call.name, type, command, failed))
}

function refusePrivilege({ readings }: StorageManager, call: Call): never {
  if (readings.missingPrivilege === '403') throw new Refused({ status: 403, body: 'Forbidden' })
  throw new Failed('privilege', call.name)
}

/** First answer to an asynchronous call. */
function firstAnswer({ jobNames }: Readings, { number }: Job): object {
  if (jobNames === 'job') return { job: String(number), state: 'PENDING' }
  if (jobNames === 'jobId') return { jobInfo: { jobId: number, state: 'Pending' } }
  return { statuses: [successful()], jobNumber: String(number) }
}

/** `job/info`: state of an asynchronous call, with its response at the end. */
function jobInfo({ jobs, readings }: StorageManager, call: Call): Response | object {
  const number = required(call, 'job')
  const job = jobs.get(Number(number))
  if (job) return { [readings.jobNames === 'jobNumber' ? 'joblist' : 'jobList']: [entryOf(readings, job)] }
  if (readings.unknownJob === '404') throw new Refused({ status: 404, body: 'Not Found' })
  if (readings.unknownJob === 'empty') return { jobList: [] }
  throw new Failed('unknown job', number)
}

function entryOf({ jobNames }: Readings, { number, state, response = {} as Response }: Job): object {
  if (jobNames === 'job') return { jobInfo: { job: String(number), state }, response }
  if (jobNames === 'jobId')
    return { jobInfo: { jobId: number, state: state.charAt(0) + state.slice(1).toLowerCase() }, response }
  return { jobinfo: { jobnumber: String(number), state: state.toLowerCase() }, response }
}
