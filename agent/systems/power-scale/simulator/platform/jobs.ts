import type { Clock } from '../clock.ts'
import { refused } from '../errors.ts'
import type { Switches } from '../switches.ts'
import type { Changelists } from './changelists.ts'
import type { Snapshots } from './snapshots.ts'

export type JobState = 'running' | 'paused_user' | 'paused_policy' | Switches['jobOutcome']

export type Job = {
  id: number
  olderId: number
  newerId: number
  policy: string
  priority: number
  /** Times are in seconds since 1970. */
  created: number
  ended: number | undefined
  /** Seconds that it has been at the head of the queue, without those when a user paused it. */
  worked: number
  isPaused: boolean
  outcome: Switches['jobOutcome'] | undefined
  reason: string | undefined
}

export const phaseCount = 4

/** Jobs of the type ChangelistCreate. One runs at a time, in steps of the cluster's clock. */
export class Jobs {
  readonly #clock: Clock
  readonly #switches: Switches
  readonly #snapshots: Snapshots
  readonly #changelists: Changelists
  #jobs: Job[] = []
  #nextId = 345
  #settledAt = 0

  constructor(clock: Clock, switches: Switches, snapshots: Snapshots, changelists: Changelists) {
    this.#clock = clock
    this.#switches = switches
    this.#snapshots = snapshots
    this.#changelists = changelists
  }

  /** Jobs that are queued, running, or finished and still listed. */
  listed(): readonly Job[] {
    const oldest = this.#clock.now() - this.#switches.finishedJobLife
    return this.all().filter(({ ended = Infinity }) => ended > oldest)
  }

  all(): readonly Job[] {
    this.settle()
    return this.#jobs
  }

  create(options: Pick<Job, 'olderId' | 'newerId' | 'policy' | 'priority'> & { allowsDuplicates: boolean }): Job {
    const { allowsDuplicates, ...facts } = options
    this.settle()
    if (!this.#switches.isChangelistJobEnabled)
      throw refused('AEC_BAD_REQUEST', 'Job type ChangelistCreate is disabled.')
    if (!allowsDuplicates && this.#jobs.some(({ ended }) => ended === undefined))
      throw refused('AEC_CONFLICT', 'A job of the type ChangelistCreate is already running or queued.')
    const id = this.#nextId++
    const times = { created: this.#clock.now(), ended: undefined, worked: 0 }
    const job: Job = { id, ...facts, ...times, isPaused: false, outcome: undefined, reason: undefined }
    this.#jobs.push(job)
    if (this.#changelists.find(job.olderId, job.newerId)) this.#end(job, 'succeeded', this.#clock.now())
    return job
  }

  control(job: Job, state: string): void {
    if (job.ended !== undefined) throw refused('AEC_CONFLICT', `Job ${job.id} has finished.`)
    if (!['pause', 'run', 'cancel'].includes(state))
      throw refused('AEC_BAD_REQUEST', `Invalid job state '${state}'.`, 'state')
    if (state === 'cancel') this.#end(job, 'cancelled_user', this.#clock.now())
    job.isPaused = state === 'pause'
  }

  /** A job that is queued behind another, or has not reached the head of the queue for long enough. */
  isWaiting(job: Job): boolean {
    return job.ended === undefined && (job !== this.#running() || job.worked < this.#switches.jobWait)
  }

  isBuilding = (job: Job): boolean => job.ended === undefined && !this.isWaiting(job)

  stateOf(job: Job): JobState {
    if (job.outcome !== undefined) return job.outcome
    if (job.isPaused) return 'paused_user'
    const half = this.#switches.jobWait + 2 * this.#switches.jobPhase
    return job.worked >= half && job.worked < half + this.#switches.jobPause ? 'paused_policy' : 'running'
  }

  phaseOf(job: Job): number {
    const { jobWait, jobPhase, jobPause } = this.#switches
    if (job.outcome === 'succeeded' || jobPhase === 0) return phaseCount
    const worked = job.worked - jobWait
    const phase = Math.floor(worked / jobPhase)
    return 1 + Math.max(0, phase < 2 ? phase : Math.max(2, Math.floor((worked - jobPause) / jobPhase)))
  }

  /** Removes the jobs that have not finished, as a restart of the cluster does. */
  loseUnfinished(): void {
    this.settle()
    this.#jobs = this.#jobs.filter(({ ended }) => ended !== undefined)
  }

  #running(): Job | undefined {
    return this.#jobs.find(({ ended }) => ended === undefined)
  }

  /** Gives the time since the last call to the job at the head of the queue, and the rest of it to the next ones. */
  settle(): void {
    const now = this.#clock.now()
    const { jobWait, jobPhase, jobPause, jobOutcome } = this.#switches
    const duration = jobWait + phaseCount * jobPhase + jobPause
    for (let job = this.#running(); job && !job.isPaused; job = this.#running()) {
      const start = Math.max(this.#settledAt, job.created)
      const left = duration - job.worked
      if (start + left > now) {
        job.worked += now - start
        break
      }
      job.worked = duration
      this.#settledAt = start + left
      this.#end(job, jobOutcome, start + left)
    }
    this.#settledAt = now
  }

  #end(job: Job, outcome: Switches['jobOutcome'], at: number): void {
    job.ended = at
    job.outcome = outcome
    if (outcome === 'failed' || outcome === 'failed_not_retried') job.reason = 'Cannot read the LINs of a snapshot'
    if (outcome !== 'succeeded') return
    const [older, newer] = [this.#snapshots.findActive(job.olderId), this.#snapshots.findActive(job.newerId)]
    if (this.#changelists.find(job.olderId, job.newerId)) return
    if (older && newer) return this.#changelists.build(older, newer, job.id)
    job.outcome = 'failed'
    job.reason = `Snapshot ${older ? job.newerId : job.olderId} does not exist`
  }
}
