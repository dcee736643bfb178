import { setTimeout as wait } from 'node:timers/promises'
import {
  CopiesAnswer,
  type CopiesRequest,
  type CopyRange,
  type RangeDigest,
  readWithinMs,
} from '#events/actions/copies.ts'
import {
  type EndReport,
  type FileOutcome,
  FilesPage,
  maxFilesPerPage,
  type OutcomesReport,
  type PlannedFile,
  ReportAnswer,
  type Verdict,
} from '#events/actions/files.ts'
import { subjects } from '#events/subjects.ts'
import type { Connection } from '../connection.ts'
import { RetryLater, TaskCancelled } from '../execution.ts'
import { requestUntilAnswered } from '../requests.ts'
import type { Progress } from './action.ts'

/** Milliseconds between reports of progress without outcomes. */
const progressIntervalMs = 5_000

type Attempt = { taskId: number; attempt: number }

/** Link of one attempt of an action to the server: its files, and reports of their states, one after another. */
export type Link = ReturnType<typeof openLink>

export function openLink(connection: Connection, { taskId, attempt }: Attempt, signal: AbortSignal) {
  const { agentId, run } = connection
  const about = { taskId, run, attempt }
  let sequence = 0
  let reported: Promise<unknown> = Promise.resolve()
  let progress: Required<Progress> = { note: '', bytesInProgress: 0 }
  let isProgressNew = false

  const send = async (subject: string, body: OutcomesReport | EndReport) => {
    obey((await requestUntilAnswered(connection, { subject, body }, ReportAnswer, signal)).verdict)
  }
  const sendInTurn = (work: () => Promise<void>): Promise<void> => {
    const done = reported.then(work)
    reported = done.catch(() => {})
    return done
  }
  const report = (outcomes: FileOutcome[]) =>
    sendInTurn(() => {
      isProgressNew = false
      return send(subjects.outcomes(agentId), { ...about, sequence: ++sequence, outcomes, ...progress })
    })
  return {
    /** Files of the task in a state, page by page. */
    async *files(state: 'planned' | 'sent'): AsyncGenerator<PlannedFile[]> {
      for (let after = 0; ;) {
        const request = { subject: subjects.files(agentId), body: { ...about, state, after } }
        const { files, verdict } = await requestUntilAnswered(connection, request, FilesPage, signal)
        obey(verdict)
        if (files.length === 0) return
        yield files
        after = files.at(-1)?.position ?? after
      }
    },
    /** Records states of files; resolves once the server has stored them. */
    async record(outcomes: FileOutcome[]): Promise<void> {
      for (let at = 0; at < outcomes.length; at += maxFilesPerPage)
        await report(outcomes.slice(at, at + maxFilesPerPage))
    },
    digestCopies: (ranges: CopyRange[]) => requestDigests(connection, { ...about, ranges }, signal),
    setProgress(changed: Progress): void {
      progress = { ...progress, ...changed }
      isProgressNew = true
    },
    end: (reason?: string) =>
      sendInTurn(() => send(subjects.ended(agentId), { ...about, ...(reason !== undefined && { reason }) })),
    /** Reports changed progress until `over` is aborted. */
    async reportProgress(over: AbortSignal): Promise<void> {
      while (!over.aborted) {
        await wait(progressIntervalMs, undefined, { signal: over }).catch(() => {})
        if (isProgressNew && !over.aborted) await report([]).catch(() => {})
      }
    },
  }
}

/** Requests digests of copies. Resolves once the agent of their storage has read them, or can't. */
async function requestDigests(
  connection: Connection,
  body: CopiesRequest,
  signal: AbortSignal,
): Promise<RangeDigest[]> {
  const bytes = body.ranges.reduce((sum, { length }) => sum + length, 0)
  // The server waits a little longer than the agent that reads.
  const request = { subject: subjects.copies(connection.agentId), body, timeoutMs: readWithinMs(bytes) + 10_000 }
  const { verdict, digests } = await requestUntilAnswered(connection, request, CopiesAnswer, signal)
  obey(verdict)
  return digests
}

/** Throws unless the attempt is to continue. */
function obey(verdict: Verdict): void {
  if (verdict === 'cancel') throw new TaskCancelled('The task was cancelled or paused')
  if (verdict === 'stop') throw new RetryLater('The task has another attempt, or has ended')
}
