import { builtInAgent } from '#events/agents.ts'
import type { TagPayload, TaskResult } from '#events/job-payloads.ts'
import { type Job, type JobEvent, isOpen } from '#events/jobs.ts'

/** One volume to scan: its agent and the numbers given to its task and its scan. */
export type PlannedScan = { volumeId: number; serverId: number; taskId: number; scanId: number }

/** A scan of file storages: one task a volume, so that each ends on its own. */
export function queueScan(jobId: number, planned: PlannedScan[], cloneIndex: boolean, at: string): JobEvent[] {
  const volumes = planned.map(({ volumeId }) => volumeId)
  const serverId = planned[0]?.serverId
  if (serverId === undefined) return []
  return [
    { type: 'JobQueued', at, jobId, jobType: 'SCAN_ON_PREMISES', serverId, payload: { volumes, cloneIndex } },
    ...planned.map(({ taskId, serverId, volumeId, scanId }): JobEvent => ({
      type: 'TaskQueued',
      at,
      taskId,
      taskType: 'SCAN_VOLUMES',
      serverId,
      payload: { volumes: [volumeId], scanId, cloneIndex },
    })),
  ]
}

/** Tags for all results of a search: one task, done by the server itself. */
export function queueTagging(jobId: number, taskId: number, payload: TagPayload, at: string): JobEvent[] {
  const serverId = builtInAgent
  return [
    { type: 'JobQueued', at, jobId, jobType: 'TAG_SEARCH_RESULT', serverId, payload },
    { type: 'TaskQueued', at, taskId, taskType: 'TAG_ENTRIES', serverId, payload },
  ]
}

/** An agent, or the server itself, took the task, for the first time or again. */
export const startTask = (job: Job, taskId: number, attempt: number, at: string): JobEvent[] =>
  whileOpen(job, taskId, { type: 'TaskStarted', at, taskId, attempt })

/** All that the agent announced has arrived; the snapshot is being made. */
export const beginCommit = (job: Job, taskId: number, at: string): JobEvent[] =>
  whileOpen(job, taskId, { type: 'TaskCommitting', at, taskId })

/** How far a task came. */
export const progressTask = (job: Job, taskId: number, result: TaskResult, at: string): JobEvent[] =>
  whileOpen(job, taskId, { type: 'TaskProgressed', at, taskId, result })

/** The work is done, such as a snapshot that is there; with a warning when parts of the volume could not be read. */
export const endTask = (job: Job, taskId: number, result: TaskResult, at: string): JobEvent[] =>
  whileOpen(job, taskId, { type: result.unreadable ? 'TaskWarned' : 'TaskSucceeded', at, taskId, result })

export const failTask = (job: Job, taskId: number, reason: string, at: string): JobEvent[] =>
  whileOpen(job, taskId, { type: 'TaskFailed', at, taskId, reason })

export const cancelTask = (job: Job, taskId: number, by: string, at: string): JobEvent[] =>
  whileOpen(job, taskId, { type: 'TaskCancelled', at, taskId, by })

/** What ended stays ended: news of a task that is over changes nothing. */
function whileOpen(job: Job, taskId: number, event: JobEvent): JobEvent[] {
  const task = job.tasks.find(({ id }) => id === taskId)
  return task && isOpen(task) ? [event] : []
}
