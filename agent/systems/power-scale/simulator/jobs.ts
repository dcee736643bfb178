import { refused } from './answers.ts'
import type { Changelists } from './changelists.ts'
import type { Clock } from '#agent/simulator/clock.ts'
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
const firstId = 345

/** Jobs of the type ChangelistCreate, one at a time, in steps of the cluster's clock. */
export function newJobs(clock: Clock, switches: Switches, snapshots: Snapshots, changelists: Changelists) {
  const jobs: Job[] = []
  const end = (job: Job, outcome: Switches['jobOutcome'], at: number) => {
    Object.assign(job, { ended: at, outcome })
    if (outcome !== 'succeeded' || changelists.find(job.olderId, job.newerId)) return
    const [older, newer] = [job.olderId, job.newerId].map((id) => snapshots.find(String(id)))
    if (older && newer) changelists.build(older, newer)
    else job.outcome = 'failed'
  }
  /** Ends the job whose time is over. */
  const settle = () => {
    const { jobWait, jobPhase, jobPause, jobOutcome } = switches
    for (const job of jobs) {
      const endAt = job.created + jobWait + phases * jobPhase + jobPause
      if (job.ended === undefined && endAt <= clock.now()) end(job, jobOutcome, endAt)
    }
  }
  const isPaused = ({ created }: Job): boolean => {
    const half = created + switches.jobWait + 2 * switches.jobPhase
    return clock.now() >= half && clock.now() < half + switches.jobPause
  }
  return {
    settle,
    create(olderId: number, newerId: number): Job {
      settle()
      if (!switches.isChangelistJobEnabled) throw refused('AEC_BAD_REQUEST', 'Job type ChangelistCreate is disabled.')
      if (jobs.some(({ ended }) => ended === undefined))
        throw refused('AEC_CONFLICT', 'A job of the type ChangelistCreate is already running or queued.')
      const job: Job = { id: firstId + jobs.length, olderId, newerId, created: clock.now() }
      jobs.push(job)
      if (changelists.find(olderId, newerId)) end(job, 'succeeded', job.created)
      return job
    },
    /** A job that runs, or has finished and is still listed, with its state. */
    get(id: string): Job & { state: string } {
      settle()
      const oldest = clock.now() - switches.finishedJobLife
      const job = jobs.find((each) => String(each.id) === id)
      if (!job || (job.ended ?? Infinity) <= oldest) throw refused('AEC_NOT_FOUND', `Job ${id} not found.`)
      return { ...job, state: job.outcome ?? (isPaused(job) ? 'paused_policy' : 'running') }
    },
  }
}
