import type { z } from 'zod'
import { type ActionJobType, actionOfType } from '#events/actions/actions.ts'
import { CopiesRequest, type RangeDigest } from '#events/actions/copies.ts'
import { EndReport, FilesRequest, OutcomesReport, type PlannedFile, type Verdict } from '#events/actions/files.ts'
import { counted } from '#events/contract/counted.ts'
import { requireOutside } from '#events/contract/readOutside.ts'
import type { TaskPayload, TaskPayloadOf } from '#events/jobs/payloads.ts'
import type { ActResult } from '#events/jobs/taskResults.ts'
import { subjects } from '#events/subjects.ts'
import { holdsKey } from '#server/workers/agent-runs/index.ts'
import { endTask, failTask, findJob, progressTask, warnTask } from '#server/workers/jobs/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { findSelection } from '#server/questions/selections/index.ts'
import { answerAgents } from '#server/workers/tasks/index.ts'
import { countFiles, failedFiles, filesOf, storeOutcomes, type TaskCounts } from '../kit/files.ts'
import { handlerOf } from '../plans/handlers.ts'
import { digestCopies } from '../transfers/digestCopies.ts'
import { changeAttempt } from './actionTasks.ts'

/** Milliseconds between two events about the progress of a task. */
const progressIntervalMs = 5_000

type Attempt = { taskId: number; run: string; attempt: number }

/** Gives agents the files of their actions, and stores the states of these. */
export function answerFilesOfAgents(platform: Platform): Running {
  const progressedAt = new Map<number, number>()
  /** Answers a request of the running attempt; any other gets the verdict and an empty answer. */
  const answer =
    <S extends z.ZodType<Attempt>, A extends object>(
      schema: S,
      empty: A,
      answerOf: (found: FoundTask, request: z.output<S>) => Promise<A & { verdict?: Verdict }>,
    ) =>
    async (agentId: number, body: unknown) => {
      const request = requireOutside(schema, body)
      const found = await findOwnTask(platform, agentId, request)
      const verdict = verdictOf(found, request)
      return { verdict, ...(verdict === 'continue' ? await answerOf(found, request) : empty) }
    }
  return answerAgents(platform, {
    [subjects.allFiles]: answer(FilesRequest, { files: [] as PlannedFile[] }, async ({ action, payload }, request) => {
      const { results, byInode } = handlerOf(action)
      const files = await filesOf(platform, payload, { ...request, byInode })
      return { files: results && request.state === 'sent' ? await results.complete(platform, payload, files) : files }
    }),
    [subjects.allCopies]: answer(CopiesRequest, { digests: [] as RangeDigest[] }, async ({ jobId }, { ranges }) => {
      const job = await findJob(platform.db, jobId)
      return { digests: job ? await digestCopies(platform, job, ranges) : [] }
    }),
    [subjects.allOutcomes]: answer(OutcomesReport, {}, async (found, report) => {
      await takeOutcomes(platform, progressedAt, found, report)
      // Another attempt may have started meanwhile. It has to decide about these files, so nothing of them may be sent.
      return { verdict: verdictOf(await findTask(platform.db, report.taskId), report) }
    }),
    [subjects.allEnded]: answer(EndReport, {}, async (found, report) => {
      progressedAt.delete(report.taskId)
      await takeEnd(platform, found, report)
      return {}
    }),
  })
}

async function takeOutcomes(
  platform: Platform,
  progressedAt: Map<number, number>,
  found: FoundTask,
  report: OutcomesReport,
): Promise<void> {
  await handlerOf(found.action).results?.store(platform, found.payload, report)
  await storeOutcomes(platform.clickhouse, found.payload, report)
  const now = Date.now()
  if (now - (progressedAt.get(report.taskId) ?? 0) < progressIntervalMs) return
  progressedAt.set(report.taskId, now)
  const result = await resultOf(platform, found, await countFiles(platform, found.payload), report)
  await changeAttempt(platform, found, (job, at) => progressTask(job, report.taskId, result, at))
  showResults(platform, found)
}

async function takeEnd(platform: Platform, found: FoundTask, { taskId, reason }: EndReport): Promise<void> {
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
  showResults(platform, found)
}

/** Makes browsers read the results of an action again. */
function showResults({ live }: Platform, { action }: FoundTask): void {
  const { results } = handlerOf(action)
  if (results) live({ type: 'changed', topics: [results.topic] })
}

type FoundTask = NonNullable<Awaited<ReturnType<typeof findTask>>>

/** A task of an action, without the payload of its job, which may name thousands of files. */
async function findTask(db: Platform['db'], taskId: number) {
  const row = await db
    .selectFrom('tasks')
    .innerJoin('jobs', 'jobs.id', 'tasks.jobId')
    .select(['tasks.id as taskId', 'tasks.jobId', 'jobs.type', 'tasks.serverId', 'tasks.attempt', 'tasks.status'])
    .select('tasks.payload')
    .where('tasks.id', '=', taskId)
    .where('tasks.type', '=', 'ACT_ON_FILES')
    .executeTakeFirst()
  if (!row) return undefined
  const { type, payload, ...task } = row
  return { ...task, action: actionOfType(type as ActionJobType), payload: payload as TaskPayloadOf<'ACT_ON_FILES'> }
}

/** The task of a request. Throws for a task that the agent doesn't have, or a run without its key. */
async function findOwnTask({ db }: Platform, agentId: number, { taskId, run }: Attempt): Promise<FoundTask> {
  const found = await findTask(db, taskId)
  if (found?.serverId !== agentId) throw new Error(`Agent ${agentId} has no action ${taskId}`)
  if (!(await holdsKey(db, agentId, run))) throw new Error(`This run doesn't hold the key of agent ${agentId}`)
  return found
}

/** Decides whether an attempt is to continue. */
function verdictOf(found: FoundTask | undefined, { attempt }: Attempt): Verdict {
  if (found?.attempt !== attempt) return 'stop'
  if (found.status === 'RUNNING') return 'continue'
  return found.status === 'WAITING' || found.status === 'CANCELLED' ? 'cancel' : 'stop'
}

/** The result so far. What was left out of the plan is counted with the first task of the job. */
async function resultOf(
  { db }: Platform,
  { jobId, taskId, payload }: FoundTask,
  { done, bytesDone, failed }: TaskCounts,
  { note, bytesInProgress }: Pick<OutcomesReport, 'note' | 'bytesInProgress'>,
): Promise<ActResult> {
  const tasks = await db
    .selectFrom('tasks')
    .select(['id', 'payload'])
    .where('jobId', '=', jobId)
    .orderBy('id')
    .execute()
  return {
    toDo: payload.files,
    bytesToDo: payload.bytes,
    done,
    bytesDone: bytesDone + bytesInProgress,
    failed,
    leftOut: tasks[0]?.id === taskId ? await countLeftOut(db, tasks) : 0,
    ...(note && { note }),
  }
}

async function countLeftOut(db: Platform['db'], tasks: { payload: TaskPayload }[]): Promise<number> {
  const planned = tasks.flatMap(({ payload }) => ('selection' in payload ? [payload] : []))
  const frozen = planned[0] && (await findSelection(db, planned[0].selection))
  if (!frozen) return 0
  return frozen.files + frozen.folders + frozen.missing - planned.reduce((total, { files }) => total + files, 0)
}
