import type { Behavior, JobScript } from '../behavior.ts'
import type { Clock } from '#agent/simulator/clock.ts'
import { newJobs as newJobList } from '#agent/simulator/jobs.ts'

/** File of a job. `error` is the message of a failed one. */
export type JobFile = {
  path: string
  size: number
  result: 'done' | 'skipped' | 'failed'
  error?: string
}

/** Limits of the files of a job: the last ones are skipped, and so are those beyond the maximum. Others fail with a message. */
export type JobLimits = { skippedFiles: number; maxFiles: number; failedFiles: Record<string, string> }

/**
 * Files of a job after `work` was done for each one that is neither skipped nor failed. The message of an error of the work is that of the
 * file.
 */
export function processEach<T extends Omit<JobFile, 'result'>>(
  files: readonly T[],
  { skippedFiles, maxFiles, failedFiles }: JobLimits,
  work: (file: T) => void,
): JobFile[] {
  const end = Math.min(files.length - skippedFiles, maxFiles)
  return files.map((file, i) => {
    const { path, size } = file
    if (i >= end) return { path, size, result: 'skipped' }
    try {
      const failure = failedFiles[path]
      if (failure !== undefined) throw new Error(failure)
      work(file)
      return { path, size, result: 'done' }
    } catch (error) {
      return { path, size, result: 'failed', error: (error as Error).message }
    }
  })
}

export const doneBytes = ({ files }: Pick<Job, 'files'>): number =>
  files.reduce((sum, { size, result }) => (result === 'done' ? sum + size : sum), 0)

type JobStatus =
  | 'scheduled'
  | 'pending'
  | 'started'
  | 'running'
  | 'stopped'
  | 'completed'
  | 'canceled'
  | 'terminated'
  | 'unknown'

/** Times in milliseconds since 1970. */
export type Job = {
  id: string
  kind: 'Archive' | 'Restore'
  title: string
  createdAt: number
  finishedAt: number | undefined
  status: JobStatus
  completion: JobScript['completion'] | undefined
  files: JobFile[]
  report: string[]
  script: JobScript
}

export type JobWork = {
  /** Line of the report while the job can't finish, such as for an offline volume. */
  waitsFor(): string | undefined
  /** Processes files within limits, and returns all. A thrown message makes the job fail. */
  process(limits: JobLimits): JobFile[]
}

export type Submission = Pick<Job, 'kind' | 'title'> & { isScheduled: boolean }

const waitMs = 5_000
/** Time until the schedule of a plan. */
const scheduledMs = 3_600_000

export const isOver = ({ finishedAt }: Job): boolean => finishedAt !== undefined

/** Jobs of a server. They go through their states as its clock moves. */
export function newJobs(behavior: Behavior, clock: Clock) {
  const jobs = newJobList<Job, JobScript>(() => behavior.job)
  const courses = new Map<Job, Course>()
  let count = 0
  return {
    ...jobs,
    submit({ isScheduled, ...values }: Submission, work: JobWork): Job {
      const job = jobs.add({ ...values, ...newJob(10_231 + count++, clock.now()) })
      const course = { job, work, clock, step: undefined }
      courses.set(job, course)
      tell(course, `${job.kind} job ${job.id}: ${job.title}`)
      follow(course, stepsOf(job.script, isScheduled), () => finish(course))
      return job
    },
    /** Stops an unfinished job, and then cancels it. */
    cancel(job: Job): void {
      const course = courses.get(job)
      if (!course || isOver(job)) return
      processUntilEnd(course)
      follow(course, [{ status: 'stopped', ms: job.script.cancelMs }], () => end(course, 'canceled'))
    },
    /** The server was shut down: running jobs are lost, and scheduled ones stay. */
    terminate(): void {
      for (const course of courses.values())
        if (!isOver(course.job) && course.job.status !== 'scheduled') {
          processUntilEnd(course)
          end(course, 'terminated')
        }
    },
  }
}

/** A job on its way. A timer of another step than the current one does nothing. */
type Course = { job: Job; work: JobWork; clock: Clock; step: object | undefined }
type Step = { status: JobStatus; ms: number }

function follow(course: Course, steps: Step[], last: () => void): void {
  const [step, ...others] = steps
  course.step = step
  if (!step) return last()
  course.job.status = step.status
  course.clock.after(step.ms, () => {
    if (course.step === step) follow(course, others, last)
  })
}

function finish(course: Course): void {
  const { job, work, clock } = course
  const { script } = job
  if (job.status !== 'running') return
  const waiting = work.waitsFor()
  if (waiting !== undefined) {
    if (!job.report.at(-1)?.endsWith(waiting)) tell(course, waiting)
    return clock.after(waitMs, () => finish(course))
  }
  try {
    const isEarly = script.completion === 'failure' || script.ends === 'canceled' || script.ends === 'terminated'
    process(course, isEarly ? script.filesBeforeEnd : Infinity)
    const hasFailures = job.files.some(({ result }) => result === 'failed')
    const completion = hasFailures && script.completion === 'success' ? 'exception' : script.completion
    end(course, script.ends, script.ends === 'completed' ? completion : undefined)
  } catch (error) {
    tell(course, error instanceof Error ? error.message : String(error))
    end(course, 'completed', 'failure')
  }
}

function process(course: Course, maxFiles: number): void {
  const { job, work } = course
  job.files = work.process({ ...job.script, maxFiles })
  for (const { path, error } of job.files) if (error !== undefined) tell(course, `Error: ${path}: ${error}`)
}

/** Processes the first files of a running job that is about to end. */
function processUntilEnd(course: Course): void {
  const { job, work } = course
  const { filesBeforeEnd } = job.script
  if (job.status === 'running' && filesBeforeEnd > 0 && work.waitsFor() === undefined) process(course, filesBeforeEnd)
}

function end(course: Course, status: JobStatus, completion?: JobScript['completion']): void {
  const { job, clock } = course
  course.step = undefined
  Object.assign(job, { status, completion, finishedAt: clock.now() })
  tell(course, `${job.kind} job ${job.id}: ${[status, completion].filter(Boolean).join(', ')}`)
}

function tell({ job, clock }: Course, text: string): void {
  job.report.push(`${new Date(clock.now()).toISOString().slice(0, 19)} ${text}`)
}

const newJob = (number: number, createdAt: number) => ({
  id: String(number),
  createdAt,
  finishedAt: undefined,
  status: 'pending' as const,
  completion: undefined,
  files: [],
  report: [],
})

function stepsOf(script: JobScript, isScheduled: boolean): Step[] {
  const { pendingMs, startedMs, runningMs, stoppedMs, unknownMs } = script
  const half = () => ({ status: 'running' as const, ms: runningMs / 2 })
  return [
    ...(isScheduled ? [{ status: 'scheduled' as const, ms: scheduledMs }] : []),
    { status: 'pending' as const, ms: pendingMs },
    { status: 'started' as const, ms: startedMs },
    half(),
    ...(stoppedMs > 0 ? [{ status: 'stopped' as const, ms: stoppedMs }] : []),
    ...(unknownMs > 0 ? [{ status: 'unknown' as const, ms: unknownMs }] : []),
    half(),
  ]
}
