import { refused } from './answers.ts'
import type { Changelists } from './changelists.ts'
import type { Clock } from './clock.ts'
import type { Snapshots } from './snapshots.ts'
import type { Switches } from './switches.ts'

type Job = {
  id: number
  olderId: number
  newerId: number
  /** Time of its start, in seconds since 1970. */
  created: number
  ended?: number
  outcome?: Switches['jobOutcome']
}

const phases = 4

/** Jobs of the type ChangelistCreate, one at a time, in steps of the cluster's clock. */
export class Jobs {
  readonly #clock: Clock
  readonly #switches: Switches
  readonly #snapshots: Snapshots
  readonly #changelists: Changelists
  #jobs: Job[] = []
  #nextId = 345

  constructor(clock: Clock, switches: Switches, snapshots: Snapshots, changelists: Changelists) {
    this.#clock = clock
    this.#switches = switches
    this.#snapshots = snapshots
    this.#changelists = changelists
  }

  create(olderId: number, newerId: number): Job {
    this.settle()
    if (!this.#switches.isChangelistJobEnabled)
      throw refused('AEC_BAD_REQUEST', 'Job type ChangelistCreate is disabled.')
    if (this.#jobs.some(({ ended }) => ended === undefined))
      throw refused('AEC_CONFLICT', 'A job of the type ChangelistCreate is already running or queued.')
    const job: Job = { id: this.#nextId++, olderId, newerId, created: this.#clock.now() }
    this.#jobs.push(job)
    if (this.#changelists.find(olderId, newerId)) this.#end(job, 'succeeded', job.created)
    return job
  }

  /** A job that runs, or has finished and is still listed, with its state. */
  get(id: string): Job & { state: string } {
    this.settle()
    const oldest = this.#clock.now() - this.#switches.finishedJobLife
    const job = this.#jobs.find((each) => String(each.id) === id)
    if (!job || (job.ended ?? Infinity) <= oldest) throw refused('AEC_NOT_FOUND', `Job ${id} not found.`)
    return { ...job, state: job.outcome ?? (this.#isPaused(job) ? 'paused_policy' : 'running') }
  }

  /** Ends the job whose time is over. */
  settle(): void {
    const { jobWait, jobPhase, jobPause, jobOutcome } = this.#switches
    for (const job of this.#jobs) {
      const end = job.created + jobWait + phases * jobPhase + jobPause
      if (job.ended === undefined && end <= this.#clock.now()) this.#end(job, jobOutcome, end)
    }
  }

  #isPaused({ created }: Job): boolean {
    const half = created + this.#switches.jobWait + 2 * this.#switches.jobPhase
    return this.#clock.now() >= half && this.#clock.now() < half + this.#switches.jobPause
  }

  #end(job: Job, outcome: Switches['jobOutcome'], at: number): void {
    Object.assign(job, { ended: at, outcome })
    if (outcome !== 'succeeded' || this.#changelists.find(job.olderId, job.newerId)) return
    const [older, newer] = [job.olderId, job.newerId].map((id) => this.#snapshots.find(String(id)))
    if (older && newer) this.#changelists.build(older, newer)
    else job.outcome = 'failed'
  }
}
