import { failureTypes, type LoggedEvent } from '#events/event-log.ts'
import { jobOfStream } from '#events/replay.ts'
import { jobEventText } from '../parts/job-words/jobEventText.ts'

/** Whether an event tells of a failure. */
export const isFailure = ({ type }: LoggedEvent): boolean => failureTypes.includes(type)

type Told = Record<string, unknown>

const because = ({ reason }: Told) => (typeof reason === 'string' && reason !== '' ? `: ${reason}` : '')

/** An event in one sentence. */
export function eventSentence({ type, stream, data }: LoggedEvent): string {
  if (jobOfStream(stream) !== undefined) return jobEventText({ type, data })
  if (type === 'Created') return `${begun(thingOf(stream))} was created${named(data['after'])}`
  if (type === 'Removed') return `${begun(thingOf(stream))} was removed${named(data['before'])}`
  if (type === 'Changed') return `${begun(thingOf(stream))} was changed${changedFields(data)}`
  return `${spaced(type)}${because(data)}`
}

/** `job-42` reads `job 42`, `storage-price-3` reads `storage price 3`. */
export const thingOf = (stream: string): string => stream.replace(/^([a-z]+-)+/, (words) => words.replaceAll('-', ' '))

const begun = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const spaced = (type: string) => begun(type.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase())
const isFields = (value: unknown): value is Told => typeof value === 'object' && value !== null

function named(what: unknown): string {
  const name = isFields(what) ? (what['name'] ?? what['description']) : undefined
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
