import { type Answer, refused } from '#agent/simulator/answers.ts'
import type { Command, Job } from '../commands/jobs.ts'
import { relocateFile, retrieveFile, truncateFile } from '../commands/retrieve.ts'
import { type FileWork, onFiles } from '../commands/runFiles.ts'
import { storeFile } from '../commands/store.ts'
import type { FileStep, StorageManager } from '../contents/storageManager.ts'
import { Failed, failedResponse, type Response, successful } from '../statuses.ts'
import type { Readings } from '../unconfirmed.ts'
import { type Call, checkParameters, required } from './call.ts'
import { fileInfo, tapeLocation } from './fileInfo.ts'

type Route = {
  /** Names of parameters. A `*` after a name allows it more than once. */
  parameters: string[]
  handle: (manager: StorageManager, call: Call) => object | Command
  changesFiles?: true
}

/** A command on files one after another. */
const onEach = (step: FileStep, name: string, work: (manager: StorageManager) => FileWork): Route => ({
  parameters: ['file*'],
  changesFiles: true,
  handle(manager, call) {
    required(call, 'file')
    return onFiles(manager, { name, step, paths: call.values('file') }, work(manager))
  },
})

const routes: Record<string, Route> = {
  'file/fsfileinfo': { parameters: ['file*', 'checksum'], handle: fileInfo },
  'file/fsfiletapeloc': { parameters: ['file'], handle: tapeLocation },
  'file/fsstore': onEach('store', 'fsstore', storeFile),
  'file/fsretrieve': onEach('retrieve', 'fsretrieve', retrieveFile),
  'file/fsretrieve/new': { parameters: ['file', 'newfile'], handle: relocate, changesFiles: true },
  'file/fsrmdiskcopy': onEach('truncate', 'fsrmdiskcopy', truncateFile),
  'system/info': { parameters: [], handle: systemInfo },
  'job/info': { parameters: ['job'], handle: jobInfo },
}

/** `file/fsretrieve/new`: brings one file back to another path. */
function relocate(manager: StorageManager, call: Call): Command {
  const { retrieveNew, unknownCall } = manager.readings
  if (retrieveNew === 'unavailable' && unknownCall === '404') throw refused(404, 'Not Found')
  if (retrieveNew === 'unavailable') throw new Failed('unknown call', call.name)
  const [path, newPath] = [required(call, 'file'), required(call, 'newfile')]
  if (!newPath.startsWith('/')) throw new Failed('bad parameter', 'newfile')
  return onFiles(manager, { name: 'fsretrieve', step: 'relocate', paths: [path] }, relocateFile(manager, newPath))
}

/** Answers a call in JSON, at the end of its work or with a job. Unknown and upper-case paths get status 404. */
export async function answerCall(manager: StorageManager, call: Call, isReadOnly: boolean): Promise<Answer> {
  const route = Object.hasOwn(routes, call.name) ? routes[call.name] : undefined
  if (!route) throw refused(404, 'Not Found')
  const response = await responseOf(manager, call, route, isReadOnly).catch((error: unknown) => {
    if (error instanceof Failed) return failedResponse(manager.readings, error.failure, error.subject)
    throw error
  })
  return { status: 200, body: manager.readings.numbers === 'text' ? withTextNumbers(response) : response }
}

const withTextNumbers = (value: object): object =>
  JSON.parse(JSON.stringify(value, (_, each: unknown) => (typeof each === 'number' ? String(each) : each))) as object

async function responseOf(manager: StorageManager, call: Call, route: Route, isReadOnly: boolean): Promise<object> {
  const { readings, jobs } = manager
  checkParameters(call, route.parameters)
  if (isReadOnly && route.changesFiles) refusePrivilege(manager, call)
  if (call.value('mode') !== undefined && readings.asyncMode === 'refuse') throw new Failed('bad parameter', 'mode')
  if (call.value('mode') !== undefined && readings.asyncMode === '400') throw refused(400, 'unknown parameter mode')
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
  if (readings.missingPrivilege === '403') throw refused(403, 'Forbidden')
  throw new Failed('privilege', call.name)
}

/** First answer to an asynchronous call. */
function firstAnswer({ jobNames }: Readings, { number }: Job): object {
  if (jobNames === 'job') return { job: String(number), state: 'PENDING' }
  if (jobNames === 'jobId') return { jobInfo: { jobId: number, state: 'Pending' } }
  return { statuses: [successful()], jobNumber: String(number) }
}

/** `system/info`. Field names are our own. */
function systemInfo(): Response {
  return { statuses: [successful()], systemInfo: { hostName: 'mdc1', version: '7.1.0', product: 'StorNext' } }
}

/** `job/info`: state of an asynchronous call, with its response at the end. */
function jobInfo({ jobs, readings }: StorageManager, call: Call): Response | object {
  const number = required(call, 'job')
  const job = jobs.get(number)
  if (job) return { [readings.jobNames === 'jobNumber' ? 'joblist' : 'jobList']: [entryOf(readings, job)] }
  if (readings.unknownJob === '404') throw refused(404, 'Not Found')
  if (readings.unknownJob === 'empty') return { jobList: [] }
  throw new Failed('unknown job', number)
}

function entryOf({ jobNames }: Readings, { number, state, response = {} as Response }: Job): object {
  if (jobNames === 'job') return { jobInfo: { job: String(number), state }, response }
  if (jobNames === 'jobId')
    return { jobInfo: { jobId: number, state: state.charAt(0) + state.slice(1).toLowerCase() }, response }
  return { jobinfo: { jobnumber: String(number), state: state.toLowerCase() }, response }
}
