import { counted, countText } from '#events/contract/counted.ts'
import type { LoggedEvent } from '#events/event-log/calls.ts'
import { JobEvent } from './events.ts'
import { foundText } from './foundText.ts'
import { unreadText } from './results.ts'
import { fieldsOf } from './taskResults.ts'
import { jobTypeLabels } from './types.ts'

type TaskEvent = Exclude<JobEvent, { type: 'JobQueued' }>
type Texts = { [T in TaskEvent['type']]: (event: Extract<TaskEvent, { type: T }>) => string }

/** Texts of task events; they follow the name of the task. */
const texts: Texts = {
  TaskQueued: () => 'was queued',
  TaskDispatched: () => 'is queued for its agent',
  TaskStarted: ({ attempt }) => (attempt > 1 ? `started again, attempt ${attempt}` : 'started'),
  TaskCommitting: () => 'is saving the snapshot',
  TaskProgressed: ({ result }) => progressText(fieldsOf(result)),
  TaskPaused: ({ by }) => `was paused by ${by}`,
  TaskResumed: ({ by }) => `was resumed by ${by}`,
  TaskLost: ({ reason, isHandedOver }) => (isHandedOver ? 'waits again: its server stopped' : `was lost: ${reason}`),
  TaskSucceeded: () => 'succeeded',
  TaskWarned: ({ result }) => `ended with a warning: ${warningText(fieldsOf(result))}`,
  TaskVerified: ({ found }) => `was checked by a scan: ${foundText(found)}`,
  TaskFailed: ({ reason }) => `failed: ${reason}`,
  TaskGivenUp: ({ reason }) => `was abandoned: ${reason}`,
  TaskCancelled: ({ by }) => `was cancelled by ${by}`,
}

type Fields = ReturnType<typeof fieldsOf>

function progressText({ tagged, toTag, done = 0, toDo = 0, note }: Fields): string {
  const waiting = note ? ` (${note})` : ''
  return `progressed: ${countText(tagged ?? done)} of ${countText(toTag ?? toDo)}${waiting}`
}

const warningText = (fields: Fields): string =>
  fields.failed === undefined ? (unreadText(fields) ?? '') : `${counted(fields.failed, 'file')} failed`

/** Describes a job event in a sentence. Events of unknown type are shown as their type. */
export function jobEventText(logged: Pick<LoggedEvent, 'type' | 'data' | 'task'>): string {
  const { data: event } = JobEvent.safeParse(logged.data)
  if (!event) return logged.type
  if (event.type === 'JobQueued')
    return `Job ${event.jobId} was queued: ${jobTypeLabels[event.jobType]}${nameIn(event.payload)}`
  if (event.type === 'TaskCommitting' && logged.task?.storage) return `Saving the snapshot of ${logged.task.storage}`
  const text = texts[event.type] as (event: TaskEvent) => string
  return `${taskText(event.taskId, logged.task)} ${text(event)}`
}

/** Events from an imported file have only the task's number. */
function taskText(id: number, task: LoggedEvent['task']): string {
  if (task?.type === 'TAG_ENTRIES') return 'Tagging'
  if (task?.type === 'ACT_ON_FILES') return `Action ${id}`
  if (task?.type === 'RUN_REPORT') return 'Report'
  return task?.storage ? `Scan of ${task.storage}` : `Task ${id}`
}

/** Name of the report in brackets, for jobs of a report. */
const nameIn = (payload: object): string =>
  'templateId' in payload && 'name' in payload && typeof payload.name === 'string' ? ` [${payload.name}]` : ''
