/*
 * Details of the Storage Manager web services that no public source confirms. Everything here accepts each reading, and is the only
 * place that depends on one.
 */

/** Files of one call, as a public client sends them. */
export const maxFilesOfCall = 40

/** States of a job. A state with a word that is not known may be any of them. */
export type JobState = 'running' | 'ended' | 'unknown'

const jobNumberNames = ['job', 'jobid', 'jobnumber']

/** Number of a job anywhere in the response to an asynchronous call; undefined for the response to a synchronous one. */
export function jobNumberIn(response: unknown): string | undefined {
  const values = valuesOf(response, jobNumberNames).map(textOf)
  return values.find((text) => /^\d+$/.test(text))
}

/** State of a job in a response of `job/info`, and the word for it. Servers forget jobs: then there is no state. */
export function jobStateIn(response: unknown): { state: JobState; word: string } {
  const [word = ''] = valuesOf(response, ['state', 'jobstate']).map(textOf)
  if (/^(pending|running|queued|waiting|started|active|submitted)$/i.test(word)) return { state: 'running', word }
  const isEnd = /^(completed?|error|failed|failure|success|done|finished|abort(ed)?|cancell?ed)$/i.test(word)
  return { state: isEnd ? 'ended' : 'unknown', word }
}

/** The server has no asynchronous calls. `text` is the text of a failed status that names no file, or of a refused request. */
export const isModeRefused = (text: string): boolean =>
  /\bmode\b/i.test(text) && !/\b(maintenance|read.?only|standby|safe|single.user) mode\b/i.test(text)

/** The server does not have a call. */
export const isCallUnknown = (text: string): boolean =>
  /\b(unknown|invalid|unsupported)\b.*\b(command|call)\b/i.test(text)

/** Newer versions may say ARCHIVE instead of TAPE. */
export const isTapeLocation = (location: string): boolean => /\b(TAPE|ARCHIVE)\b/i.test(location)
export const isDiskLocation = (location: string): boolean => /\bDISK\b/i.test(location)
export const isForeignLocation = (location: string): boolean => /\bFOREIGN\b/i.test(location)

/** Property of an object in any letter case. */
export function propertyOf(object: unknown, name: string): unknown {
  if (typeof object !== 'object' || object === null) return undefined
  return Object.entries(object).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
}

/** Values of properties with these names in lower case, anywhere in a response, outer ones first. */
function valuesOf(response: unknown, names: string[]): unknown[] {
  if (typeof response !== 'object' || response === null) return []
  const entries = Object.entries(response) as [string, unknown][]
  const own = entries.filter(([key, value]) => names.includes(key.toLowerCase()) && typeof value !== 'object')
  return [...own.map(([, value]) => value), ...entries.flatMap(([, value]) => valuesOf(value, names))]
}

/** Entries of a list. A list of one may come without its brackets. */
export const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : value === undefined || value === null ? [] : [value]

export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** Number of a value, which may be a text; 0 for none. */
export function numberOf(value: unknown): number {
  const number = Number(/^\s*-?\d+(\.\d+)?\s*$/.exec(textOf(value))?.[0] ?? 0)
  return Number.isFinite(number) ? number : 0
}
