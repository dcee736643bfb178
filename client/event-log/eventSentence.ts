import { failureTypes, type LoggedEvent } from '#events/event-log.ts'
import { jobTypeLabels, type JobType } from '#events/job-types.ts'

/** Whether an event tells of a failure. */
export const isFailure = ({ type }: LoggedEvent): boolean => failureTypes.includes(type)

type Told = Record<string, unknown>

const labels: Record<string, string> = jobTypeLabels satisfies Record<JobType, string>
const task = ({ taskId }: Told) => `task ${String(taskId)}`
const because = ({ reason }: Told) => (typeof reason === 'string' && reason !== '' ? `: ${reason}` : '')

/** What happens to jobs, in words. */
const sentences: Record<string, (event: Told) => string> = {
  JobQueued: ({ jobId, jobType }) => `Job ${String(jobId)} was queued: ${labels[String(jobType)] ?? String(jobType)}`,
  TaskQueued: (event) => `${begun(task(event))} was queued for agent ${String(event['serverId'])}`,
  TaskDispatched: (event) => `${begun(task(event))} lies in the queue of its agent`,
  TaskStarted: (event) => `${begun(task(event))} was begun, attempt ${String(event['attempt'])}`,
  TaskCommitting: (event) => `The snapshot of ${task(event)} is being made`,
  TaskProgressed: (event) => `${begun(task(event))} came further`,
  TaskPaused: (event) => `${begun(task(event))} was paused`,
  TaskResumed: (event) => `${begun(task(event))} goes on`,
  TaskLost: (event) => `The agent of ${task(event)} fell silent${because(event)}`,
  TaskSucceeded: (event) => `${begun(task(event))} is done`,
  TaskWarned: (event) => `${begun(task(event))} is done, with parts left out`,
  TaskFailed: (event) => `${begun(task(event))} failed${because(event)}`,
  TaskGivenUp: (event) => `${begun(task(event))} was given up${because(event)}`,
  TaskCancelled: (event) => `${begun(task(event))} was cancelled`,
  SignedIn: () => 'Signed in',
  SignedOut: () => 'Signed out',
}

/** An event in one sentence. */
export function eventSentence({ type, stream, data }: LoggedEvent): string {
  const known = sentences[type]
  if (known) return known(data)
  if (type === 'Created') return `${begun(thingOf(stream))} was created${named(data['after'])}`
  if (type === 'Removed') return `${begun(thingOf(stream))} was removed${named(data['before'])}`
  if (type === 'Changed') return `${begun(thingOf(stream))} was changed${changedFields(data)}`
  return `${spaced(type)}${because(data)}`
}

/** `job-42` reads `job 42`. */
export const thingOf = (stream: string): string => stream.replace('-', ' ')

const begun = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const spaced = (type: string) => begun(type.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase())
const isFields = (value: unknown): value is Told => typeof value === 'object' && value !== null

function named(what: unknown): string {
  const name = isFields(what) ? what['name'] : undefined
  return typeof name === 'string' ? `: ${name}` : ''
}

/** The fields that differ, the first few of them. */
function changedFields({ before, after }: Told): string {
  if (!isFields(before) || !isFields(after)) return ''
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  const most = 4
  const more = names.length > most ? ` and ${names.length - most} more` : ''
  return names.length === 0 ? '' : `: ${names.slice(0, most).join(', ')}${more}`
}
