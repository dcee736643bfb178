import { type CopiesAnswer, CopiesRequest } from '#events/actions/copies.ts'
import { counted } from '#events/contract/counted.ts'
import {
  EndReport,
  type FilesPage,
  FilesRequest,
  OutcomesReport,
  type ReportAnswer,
  type Verdict,
} from '#events/actions/files.ts'
import { requireOutside } from '#events/contract/readOutside.ts'
import type { ActResult } from '#events/jobs/taskResults.ts'
import { isComparison } from '#events/jobs/types.ts'
import { subjects } from '#events/subjects.ts'
import { holdsKey } from '#server/agent-runs/index.ts'
import { endTask, failTask, progressTask, warnTask } from '#server/jobs/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { findSelection } from '#server/selections/index.ts'
import { answerAgents } from '#server/tasks/index.ts'
import { storeContents } from '../contents/storeContents.ts'
import { markUnlike } from '../contents/unlikeOthers.ts'
import { digestCopies } from '../transfers/digestCopies.ts'
import { type ActionTask, changeAttempt, findActionTask } from './actionTasks.ts'
import { countFiles, failedFiles, filesOf, storeOutcomes, type TaskCounts } from './files.ts'

/** Milliseconds between two events about the progress of a task. */
const progressIntervalMs = 5_000

type Attempt = { taskId: number; run: string; attempt: number }

/** Gives agents the files of their actions, and stores the states of these. */
export function answerFilesOfAgents(platform: Platform): Running {
  const progressedAt = new Map<number, number>()
  return answerAgents(platform, {
    [subjects.allFiles]: (agentId, request) => answerFiles(platform, agentId, requireOutside(FilesRequest, request)),
    [subjects.allOutcomes]: (agentId, request) =>
      takeOutcomes(platform, progressedAt, agentId, requireOutside(OutcomesReport, request)),
    [subjects.allCopies]: (agentId, request) => answerCopies(platform, agentId, requireOutside(CopiesRequest, request)),
    [subjects.allEnded]: (agentId, request) => {
      const report = requireOutside(EndReport, request)
      progressedAt.delete(report.taskId)
      return takeEnd(platform, agentId, report)
    },
  })
}

async function answerFiles(platform: Platform, agentId: number, request: FilesRequest): Promise<FilesPage> {
  const { verdict, found } = await judge(platform, agentId, request)
  if (verdict !== 'continue') return { verdict, files: [] }
  const files = await filesOf(platform, found.payload, request)
  const isMarked = isComparison(found.job.type) && request.state === 'sent'
  return { verdict, files: isMarked ? await markUnlike(platform.clickhouse, found.payload.selection, files) : files }
}

async function answerCopies(platform: Platform, agentId: number, request: CopiesRequest): Promise<CopiesAnswer> {
  const { verdict, found } = await judge(platform, agentId, request)
  if (verdict !== 'continue') return { verdict, digests: [] }
  return { verdict, digests: await digestCopies(platform, found.job, request.ranges) }
}

async function takeOutcomes(
  platform: Platform,
  progressedAt: Map<number, number>,
  agentId: number,
  report: OutcomesReport,
): Promise<ReportAnswer> {
  const { verdict, found } = await judge(platform, agentId, report)
  if (verdict !== 'continue') return { verdict }
  if (isComparison(found.job.type)) await storeContents(platform, found.payload, report)
  await storeOutcomes(platform.clickhouse, found.payload, report)
  const now = Date.now()
  if (now - (progressedAt.get(report.taskId) ?? 0) >= progressIntervalMs) {
    progressedAt.set(report.taskId, now)
    const counts = await countFiles(platform, found.payload)
    const result = await resultOf(platform, found, counts, report)
    await changeAttempt(platform, found, (job, at) => progressTask(job, report.taskId, result, at))
    showContents(platform, found)
  }
  // Another attempt may have started meanwhile. It has to decide about these files, so nothing of them may be sent.
  return { verdict: (await judge(platform, agentId, report)).verdict }
}

async function takeEnd(platform: Platform, agentId: number, report: EndReport): Promise<ReportAnswer> {
  const { verdict, found } = await judge(platform, agentId, report)
  if (verdict !== 'continue') return { verdict }
  const { taskId, reason } = report
  const counts = await countFiles(platform, found.payload)
  const result = await resultOf(platform, found, counts, { note: '', bytesInProgress: 0 })
  const failed = await failedFiles(platform, found.payload)
  const why = reason ?? (counts.open > 0 ? `${counted(counts.open, 'file has', 'files have')} no result` : undefined)
  const whole = {
    ...result,
    ...(failed.length > 0 && { failedPaths: failed }),
    ...(why !== undefined && { reason: why }),
  }
  await changeAttempt(platform, found, (job, at) => {
    if (why !== undefined && !result.done) return failTask(job, taskId, why, at)
    return why !== undefined || result.failed ? warnTask(job, taskId, whole, at) : endTask(job, taskId, whole, at)
  })
  showContents(platform, found)
  return { verdict }
}

/** Makes browsers read the results of a comparison again. */
function showContents({ live }: Platform, { job }: ActionTask): void {
  if (isComparison(job.type)) live({ type: 'changed', topics: ['contents'] })
}

/** Decides whether an attempt is to continue. Throws for a task that the agent doesn't have, or a run without its key. */
async function judge(
  platform: Platform,
  agentId: number,
  { taskId, run, attempt }: Attempt,
): Promise<{ verdict: Verdict; found: ActionTask }> {
  const found = await findActionTask(platform, taskId)
  if (found?.task.serverId !== agentId) throw new Error(`Agent ${agentId} has no action ${taskId}`)
  if (!(await holdsKey(platform.db, agentId, run))) throw new Error(`This run doesn't hold the key of agent ${agentId}`)
  const { task } = found
  if (task.attempt !== attempt) return { verdict: 'stop', found }
  if (task.status === 'RUNNING') return { verdict: 'continue', found }
  return { verdict: task.status === 'WAITING' || task.status === 'CANCELLED' ? 'cancel' : 'stop', found }
}

/** The result so far. What was left out of the plan is counted with the first task of the job. */
async function resultOf(
  platform: Platform,
  { job, task, payload }: ActionTask,
  { done, bytesDone, failed }: TaskCounts,
  { note, bytesInProgress }: Pick<OutcomesReport, 'note' | 'bytesInProgress'>,
): Promise<ActResult> {
  const leftOut = job.tasks[0]?.id === task.id ? await countLeftOut(platform, job) : 0
  return {
    toDo: payload.files,
    bytesToDo: payload.bytes,
    done,
    bytesDone: bytesDone + bytesInProgress,
    failed,
    leftOut,
    ...(note && { note }),
  }
}

async function countLeftOut({ db }: Platform, { tasks }: ActionTask['job']): Promise<number> {
  const planned = tasks.flatMap(({ payload }) => ('selection' in payload ? [payload] : []))
  const frozen = planned[0] && (await findSelection(db, planned[0].selection))
  if (!frozen) return 0
  return frozen.files + frozen.folders + frozen.missing - planned.reduce((total, { files }) => total + files, 0)
}
