import type { Behavior, JobScript } from '../behavior.ts'
import type { Clock } from '../clock.ts'

/** File of a job. `entry` is its path in the index. */
export type JobFile = { path: string; entry: string; size: number; result: 'done' | 'skipped' }

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
  index: string
  client: string
  pool: string
  createdAt: number
  finishedAt: number | undefined
  status: JobStatus
  completion: JobScript['completion'] | undefined
  files: JobFile[]
  volumes: string[]
  report: string[]
}

export type JobWork = {
  /** Line of the report while the job can't finish, such as for an offline volume. */
  waitsFor(): string | undefined
  /** Processes all files but the last ones, and returns all. A thrown message makes the job fail. */
  process(skipped: number): JobFile[]
}

export type Submission = Pick<Job, 'kind' | 'title' | 'index' | 'client' | 'pool' | 'volumes'> & {
  isScheduled: boolean
}

export type Jobs = ReturnType<typeof newJobs>

const waitMs = 5_000

export const isOver = ({ status }: Job): boolean => ['completed', 'canceled', 'terminated', 'unknown'].includes(status)

/** Jobs of a server. They go through their states as its clock moves. */
export function newJobs(behavior: Behavior, clock: Clock) {
  const courses = new Map<string, Course>()
  const nextScripts: Partial<JobScript>[] = []
  let count = 0
  return {
    all: () => [...courses.values()].map(({ job }) => job),
    get: (id: string) => courses.get(id)?.job,
    /** Removes a job, as if the server no longer knew it. */
    forget: (id: string) => void courses.delete(id),
    /** Changes the course of the next job only. */
    scriptNext: (script: Partial<JobScript>) => void nextScripts.push(script),
    submit({ isScheduled, ...values }: Submission, work: JobWork): Job {
      const script = { ...behavior.job, ...nextScripts.shift() }
      const job: Job = { ...values, ...newJob(10_231 + count++, clock.now()) }
      const course = { job, script, work, clock, step: undefined }
      courses.set(job.id, course)
      tell(course, `${job.kind} job ${job.id}: ${job.title}`)
      follow(course, stepsOf(script, isScheduled), () => finish(course))
      return job
    },
    /** Stops an unfinished job, and then cancels it. */
    cancel(id: string): void {
      const course = courses.get(id)
      if (!course || isOver(course.job)) return
      follow(course, [{ status: 'stopped', ms: course.script.cancelMs }], () => end(course, 'canceled'))
    },
    /** The server was shut down: running jobs are lost, and scheduled ones stay. */
    terminate(): void {
      for (const course of courses.values())
        if (!isOver(course.job) && course.job.status !== 'scheduled') end(course, 'terminated')
    },
  }
}

/** A job on its way. A timer of another step than the current one does nothing. */
type Course = { job: Job; script: JobScript; work: JobWork; clock: Clock; step: object | undefined }
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
  const { job, script, work, clock } = course
  if (job.status !== 'running') return
  const waiting = work.waitsFor()
  if (waiting !== undefined) {
    if (!job.report.at(-1)?.endsWith(waiting)) tell(course, waiting)
    return clock.after(waitMs, () => finish(course))
  }
  try {
    if (script.completion !== 'failure') job.files = work.process(script.skippedFiles)
    end(course, script.ends, script.ends === 'completed' ? script.completion : undefined)
  } catch (error) {
    tell(course, error instanceof Error ? error.message : String(error))
    end(course, 'completed', 'failure')
  }
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

function stepsOf({ scheduledMs, pendingMs, startedMs, runningMs, stoppedMs }: JobScript, isScheduled: boolean) {
  const scheduled = { status: 'scheduled' as const, ms: scheduledMs }
  const half = () => ({ status: 'running' as const, ms: runningMs / 2 })
  return [
    ...(isScheduled ? [scheduled] : []),
    { status: 'pending' as const, ms: pendingMs },
    { status: 'started' as const, ms: startedMs },
    half(),
    ...(stoppedMs > 0 ? [{ status: 'stopped' as const, ms: stoppedMs }] : []),
    half(),
  ]
}
