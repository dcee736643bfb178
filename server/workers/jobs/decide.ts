import { isDeepStrictEqual } from 'node:util'
import { scannedStorages, unreadText } from '#events/jobs/results.ts'
import type { ScanJobType } from '#events/sources/kinds.ts'
import type { ActionRequest } from '#events/actions/actions.ts'
import { builtInAgent } from '#events/agents.ts'
import type { PayloadOf, TagPayload, TaskPayloadOf } from '#events/jobs/payloads.ts'
import { fieldsOf, type FoundFiles, type ScanResult, type TaskResult } from '#events/jobs/taskResults.ts'
import { type Job, type JobEvent, type Task, isOpen, isEventAllowed } from '#events/jobs/events.ts'

/** A volume to scan, whole or one folder: its agent and the numbers of its task and scan. */
export type PlannedScan = { volumeId: number; scannedPath?: string; serverId: number; taskId: number; scanId: number }

/** Type and payload of a job of scans. */
export type ScanJob = { [T in ScanJobType]: { jobType: T; payload: PayloadOf<T> } }[ScanJobType]

/** Queues scans, of file storages by default: one task per volume, so each ends on its own. */
export function queueScan(
  jobId: number,
  planned: PlannedScan[],
  cloneIndex: boolean,
  at: string,
  job: ScanJob = { jobType: 'SCAN_ON_PREMISES', payload: payloadOf(planned, cloneIndex) },
): JobEvent[] {
  const serverId = planned[0]?.serverId
  if (serverId === undefined) return []
  return [
    { type: 'JobQueued', at, jobId, serverId, ...job },
    ...planned.map((scan): JobEvent => ({
      type: 'TaskQueued',
      at,
      taskId: scan.taskId,
      taskType: 'SCAN_VOLUMES',
      serverId: scan.serverId,
      payload: { ...payloadOf([scan], cloneIndex), scanId: scan.scanId },
    })),
  ]
}

function payloadOf(planned: PlannedScan[], cloneIndex: boolean): PayloadOf<'SCAN_ON_PREMISES'> {
  const limited = planned.flatMap(({ volumeId, scannedPath = '' }) => (scannedPath ? [[volumeId, scannedPath]] : []))
  const volumes = planned.map(({ volumeId }) => volumeId)
  return { volumes, ...(limited.length > 0 && { storageIdToPath: Object.fromEntries(limited) }), cloneIndex }
}

/** Queues a job that tags all results of a search: one task, run by the server itself. */
export function queueTagging(jobId: number, taskId: number, payload: TagPayload, at: string): JobEvent[] {
  const serverId = builtInAgent
  return [
    { type: 'JobQueued', at, jobId, jobType: 'TAG_SEARCH_RESULT', serverId, payload },
    { type: 'TaskQueued', at, taskId, taskType: 'TAG_ENTRIES', serverId, payload },
  ]
}

/** Queues a run of a report: also one task of the server. */
export function queueReport(
  jobId: number,
  taskId: number,
  { runId, ...payload }: TaskPayloadOf<'RUN_REPORT'>,
  at: string,
): JobEvent[] {
  const serverId = builtInAgent
  return [
    { type: 'JobQueued', at, jobId, jobType: 'GENERATE_REPORT', serverId, payload },
    { type: 'TaskQueued', at, taskId, taskType: 'RUN_REPORT', serverId, payload: { ...payload, runId } },
  ]
}

/** A part of an action: its agent, the number of its task, and the payload of that. */
export type PlannedPart = { taskId: number; serverId: number; payload: TaskPayloadOf<'ACT_ON_FILES'> }

/** Queues an action on files: one task for each part. */
export function queueAction(jobId: number, action: ActionRequest, parts: PlannedPart[], at: string): JobEvent[] {
  const serverId = parts[0]?.serverId ?? builtInAgent
  return [
    { type: 'JobQueued', at, jobId, serverId, ...action },
    ...parts.map((part): JobEvent => ({ type: 'TaskQueued', at, taskType: 'ACT_ON_FILES', ...part })),
  ]
}

/** The tasks are in the queues of their agents. */
export const dispatchTasks = (job: Job, taskIds: number[], at: string): JobEvent[] =>
  taskIds.flatMap((taskId) => eventsIfAllowed(job, { type: 'TaskDispatched', at, taskId }))

/** The request of an agent for which a task starts. */
export type StartRequest = Pick<Extract<JobEvent, { type: 'TaskStarted' }>, 'request' | 'isRepeated'>

/** An agent or the server started the task, for the first time or again. */
export const startTask = (
  job: Job,
  taskId: number,
  attempt: number,
  at: string,
  request: StartRequest = {},
): JobEvent[] => eventsIfAllowed(job, { type: 'TaskStarted', at, taskId, attempt, ...request })

/** Everything announced by the agent has arrived; the snapshot is being created. */
export const beginCommit = (job: Job, taskId: number, at: string): JobEvent[] =>
  eventsIfAllowed(job, { type: 'TaskCommitting', at, taskId })

/** Records the progress of a task. */
export const progressTask = (job: Job, taskId: number, result: TaskResult, at: string): JobEvent[] =>
  eventsIfAllowed(job, { type: 'TaskProgressed', at, taskId, result })

/** The work is done, for example the snapshot exists; with a warning if parts of the volume could not be read. */
export function endTask(job: Job, taskId: number, result: TaskResult, at: string): JobEvent[] {
  const reason = unreadText(fieldsOf(result))
  if (reason === undefined) return eventsIfAllowed(job, { type: 'TaskSucceeded', at, taskId, result })
  const task = taskOf(job, taskId)
  const failed = task ? scannedStorages(task).map((id) => ({ id, reason })) : []
  return eventsIfAllowed(job, {
    type: 'TaskWarned',
    at,
    taskId,
    result: { ...(result as ScanResult), failedScanVolumeSettings: failed },
  })
}

/** The work ended with a part of it left undone, which the result names. */
export const warnTask = (job: Job, taskId: number, result: TaskResult, at: string): JobEvent[] =>
  eventsIfAllowed(job, { type: 'TaskWarned', at, taskId, result })

/** Scans show where the files of an action are now. Nothing changes if they show the same as before. */
export const verifyTask = (job: Job, taskId: number, found: FoundFiles, isAsExpected: boolean): JobEvent[] => {
  const before = fieldsOf(taskOf(job, taskId)?.result).found
  const isSame = before !== undefined && isDeepStrictEqual({ ...before, at: found.at }, found)
  return isSame ? [] : eventsIfAllowed(job, { type: 'TaskVerified', at: found.at, taskId, found, isAsExpected })
}

export const failTask = (job: Job, taskId: number, reason: string, at: string): JobEvent[] =>
  eventsIfAllowed(job, { type: 'TaskFailed', at, taskId, reason })

/** Gives up a task whose workers died too often or stayed silent. */
export const giveUpTask = (job: Job, taskId: number, reason: string, at: string): JobEvent[] =>
  eventsIfAllowed(job, { type: 'TaskGivenUp', at, taskId, reason })

type LostTask = { taskId: number; attempt: number; reason: string; isHandedOver?: boolean }

/** Queues a task again after its worker fell silent, or handed it over. Ignores attempts other than the current one. */
export const loseTask = (job: Job, { attempt, ...lost }: LostTask, at: string): JobEvent[] =>
  taskOf(job, lost.taskId)?.attempt === attempt ? eventsIfAllowed(job, { type: 'TaskLost', at, ...lost }) : []

export const cancelTask = (job: Job, taskId: number, by: string, at: string): JobEvent[] =>
  eventsIfAllowed(job, { type: 'TaskCancelled', at, taskId, by })

/** Cancels all open tasks of the job. */
export const cancelJob = (job: Job, by: string, at: string): JobEvent[] =>
  job.tasks.filter(isOpen).flatMap(({ id }) => cancelTask(job, id, by, at))

/** Pauses all open tasks of the job, except those that are too far. */
export const pauseJob = (job: Job, tooFar: readonly number[], by: string, at: string): JobEvent[] =>
  job.tasks
    .filter(({ id }) => !tooFar.includes(id))
    .flatMap(({ id: taskId }) => eventsIfAllowed(job, { type: 'TaskPaused', at, taskId, by }))

/** Queues all paused tasks again. */
export const resumeJob = (job: Job, by: string, at: string): JobEvent[] =>
  job.tasks.flatMap(({ id: taskId }) => eventsIfAllowed(job, { type: 'TaskResumed', at, taskId, by }))

const taskOf = (job: Job, taskId: number): Task | undefined => job.tasks.find(({ id }) => id === taskId)

/** Events of tasks that have ended or were paused are ignored. */
const eventsIfAllowed = (job: Job, event: JobEvent): JobEvent[] => (isEventAllowed(job, event) ? [event] : [])
