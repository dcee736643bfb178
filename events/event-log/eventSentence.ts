import { jobEventText } from '#events/jobs/jobEventText.ts'
import { alertClassLabels } from '#events/schedules/calls.ts'
import { jobIdOfStream, streamLabel, streamNouns } from '#events/streams.ts'
import { type ActorKind, failureTypes, type LoggedEvent } from './calls.ts'

export const isFailure = ({ type }: LoggedEvent): boolean => failureTypes.includes(type)

type EventData = Record<string, unknown>

const because = ({ reason }: EventData) => (typeof reason === 'string' && reason !== '' ? `: ${reason}` : '')

/** Writes a moment in the time zone of the reader. */
type MomentText = (at: string) => string

/** Describes an event in one sentence. */
export function eventSentence({ type, stream, data, task, at }: LoggedEvent, momentText: MomentText): string {
  const ofSchedule = scheduleEvents[type]
  if (ofSchedule && typeof data['name'] === 'string')
    return ofSchedule(`${kindOf(data)} "${data['name']}"`, data, { at, momentText })
  if (runEvents[type] !== undefined) return runSentence(type, data)
  if (jobIdOfStream(stream) !== undefined) return jobEventText({ type, data, task })
  if (/^((group|wall)-)?limits-/.test(stream))
    return `What ${String(data['name'])} sees was changed${changedFields(data)}`
  if (type === 'Created') return `${capitalized(thingOf(stream, data))} was created`
  if (type === 'Removed') return `${capitalized(thingOf(stream, data))} was removed`
  if (type === 'Changed') return `${capitalized(thingOf(stream, data))} was changed${changedFields(data)}`
  const { problem } = data
  if (isFields(problem)) return `${spaced(type)}: ${String(problem['message'])}`
  if (type === 'ViewStarted')
    return `Started to see what ${String(data['name'])} sees, until ${momentText(String(data['until']))}`
  if (type === 'ViewEnded') return `Stopped seeing what ${String(data['name'])} sees`
  if (type === 'SignInFailed') return signInFailed(data)
  if (type === 'SignedIn' && stream.startsWith('wall-')) return `${capitalized(streamLabel(stream))} display was opened`
  return `${spaced(type)}${because(data)}`
}

type ScheduleSentence = (subject: string, data: EventData, time: { at: string; momentText: MomentText }) => string

const kindOf = ({ type, jobClass }: EventData): string =>
  String(type).startsWith('Alert') || Object.hasOwn(alertClassLabels, String(jobClass)) ? 'Alert' : 'Schedule'

/** Events of schedules and alerts. The subject is its kind and name. */
const scheduleEvents: Record<string, ScheduleSentence> = {
  ScheduleStarted: (subject, { jobId, dueAt }, { at, momentText }) =>
    `${subject} started job ${String(jobId)}${isLate(dueAt, at) ? `, due ${momentText(dueAt)}` : ''}`,
  // The messages wait at that moment, and may fail later.
  ScheduleNotified: (subject, data) => `${subject} has something to report${because(data)}`,
  ScheduleHadNothing: (subject, { reason }) =>
    `${subject}: ${typeof reason === 'string' ? uncapitalized(reason) : 'nothing new to report'}`,
  ScheduleWasUnknown: (subject, { reason }) =>
    `${subject}: ${uncapitalized(String(reason ?? 'could not be evaluated'))}`,
  ScheduleSkipped: (subject, data) => `${subject} was skipped${because(data)}`,
  ScheduleFailed: (subject, data) => `${subject} failed${because(data)}`,
  AlertFiring: (subject, { text }) => `${subject} is firing: ${String(text)}`,
  AlertCleared: (subject, { text }) => `${subject} stopped firing. It was: ${String(text)}`,
  AlertMuted: (subject, { text, until }, { momentText }) =>
    `${subject} was muted ${typeof until === 'string' ? `until ${momentText(until)}` : 'until fixed'}: ${String(text)}`,
  AlertUnmuted: (subject, { text }) => `${subject} was unmuted: ${String(text)}`,
}

/** Events of runs of policies, in words that follow the number of the run. */
const runEvents: Record<string, string> = {
  PolicyRunWaiting: 'waits for approval',
  PolicyRunStarted: 'was started',
  PolicyRunHadNothing: 'did nothing',
  PolicyRunApproved: 'was approved',
  PolicyRunDeclined: 'was declined',
  PolicyRunExpired: 'expired',
  PolicyRunUndone: 'is undone: its files are put back from quarantine',
}

function runSentence(type: string, { name, run }: EventData): string {
  const { id, kind, reasons, jobId } = isFields(run) ? run : {}
  const job = type === 'PolicyRunStarted' && typeof jobId === 'number' ? ` as job ${jobId}` : ''
  const isReason = Array.isArray(reasons) && reasons.length > 0 && type !== 'PolicyRunApproved'
  const noun = kind === 'delete' ? 'Deletion' : 'Run'
  return `${noun} ${String(id)} of the policy "${String(name)}" ${runEvents[type]}${job}${isReason ? `: ${reasons.join('; ')}` : ''}`
}

/** True for a start that was more than a minute late. */
const isLate = (dueAt: unknown, at: string): dueAt is string =>
  typeof dueAt === 'string' && Date.parse(at) - Date.parse(dueAt) >= 60_000

function signInFailed({ name, failures, ...rest }: EventData): string {
  const times = typeof failures === 'number' && failures > 1 ? `, ${failures} times` : ''
  if (name === unknownName) return `Failed sign-in${times}: unknown user or wrong password`
  return `Failed sign-in as ${String(name)}${times}${because(rest)}`
}

/** Name in events of failed sign-ins without an account. */
const unknownName = 'an unknown name'

/** Actor of an event in a sentence. */
export function actorText({ actor, by }: Pick<LoggedEvent, 'actor' | 'by'>): string {
  if (by?.kind === 'stranger' || (!by && actor === 'not signed in')) return 'an anonymous user'
  return by && by.id !== null ? `${actor} (${actorNouns[by.kind]} ${by.id})` : actor
}

/** Names don't say who someone is: an account may be called like the product or another account. */
const actorNouns: Record<ActorKind, string> = {
  user: 'user',
  token: 'API token',
  wall: 'wall display',
  provider: 'single sign-on',
  stranger: 'not signed in',
  system: 'product',
}

const uncapitalized = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const spaced = (type: string) => capitalized(type.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase())

/** Type of an event in words, such as `Sign in failed`. */
export const eventTypeWords = ({ type }: LoggedEvent): string => spaced(type)

const isFields = (value: unknown): value is EventData => typeof value === 'object' && value !== null

/** Kind and name of an object; its id if it has no name. */
function thingOf(stream: string, { before, after }: EventData): string {
  const fields = isFields(after) ? after : isFields(before) ? before : {}
  const [, kind = '', number = ''] = /^(.+)-(\d+)$/.exec(stream) ?? []
  const noun = fields['jobGroup'] === 'ALERT' ? 'alert' : (streamNouns[kind] ?? streamLabel(kind))
  const name = fields['name'] ?? fields['dataintellName'] ?? fields['description']
  if (kind === '') return streamLabel(stream)
  return `${noun} ${typeof name === 'string' ? name : number}`
}

/** The first few changed fields. */
function changedFields({ before, after }: EventData): string {
  if (!isFields(before) || !isFields(after)) return ''
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  const maxNames = 4
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : ''
  return names.length === 0 ? '' : `: ${names.slice(0, maxNames).join(', ')}${more}`
}

/** The newest of adjacent events that read the same, with their number by its position. */
export function foldRepeats(events: readonly LoggedEvent[]): { shown: LoggedEvent[]; counts: Map<number, number> } {
  const shown: LoggedEvent[] = []
  const counts = new Map<number, number>()
  let last = ''
  for (const event of events) {
    const key = `${event.type} ${event.actor} ${eventSentence(event, String)}`
    const [head] = shown.slice(-1)
    if (head && key === last) counts.set(head.position, (counts.get(head.position) ?? 1) + 1)
    else shown.push(event)
    last = key
  }
  return { shown, counts }
}
