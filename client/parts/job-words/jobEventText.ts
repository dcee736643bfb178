import type { LoggedEvent } from '#events/event-log.ts'
import { jobTypeLabels } from '#events/job-types.ts'
import { JobEvent } from '#events/jobs.ts'
import { countText, counted } from '../../ui/text/count.ts'

type TaskEvent = Exclude<JobEvent, { type: 'JobQueued' }>
type Texts = { [T in TaskEvent['type']]: (event: Extract<TaskEvent, { type: T }>) => string }

/** What happened to a task, after its name. */
const texts: Texts = {
  TaskQueued: () => 'was queued',
  TaskDispatched: () => 'lies in the queue of its agent',
  TaskStarted: ({ attempt }) => (attempt > 1 ? `started again, attempt ${attempt}` : 'started'),
  TaskCommitting: () => 'saves the snapshot',
  TaskProgressed: ({ result }) => `came further: ${countText(result.tagged ?? 0)} of ${countText(result.toTag ?? 0)}`,
  TaskPaused: ({ by }) => `was paused by ${by}`,
  TaskResumed: ({ by }) => `was resumed by ${by}`,
  TaskLost: ({ reason }) => `was lost: ${reason}`,
  TaskSucceeded: () => 'succeeded',
  TaskWarned: ({ result }) => `ended with a warning: ${counted(result.unreadable ?? 0, 'path')} could not be read`,
  TaskFailed: ({ reason }) => `failed: ${reason}`,
  TaskGivenUp: ({ reason }) => `was given up: ${reason}`,
  TaskCancelled: ({ by }) => `was cancelled by ${by}`,
}

/** What happened to a job, in a sentence; the type of the event where it is not one that is known here. */
export function jobEventText(logged: Pick<LoggedEvent, 'type' | 'data'>): string {
  const { data: event } = JobEvent.safeParse(logged.data)
  if (!event) return logged.type
  if (event.type === 'JobQueued') return `Job ${event.jobId} was queued: ${jobTypeLabels[event.jobType]}`
  const text = texts[event.type] as (event: TaskEvent) => string
  return `Task ${event.taskId} ${text(event)}`
}
