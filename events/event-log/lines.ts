import { LoggedEvent } from './calls.ts'

/** An invalid line in a file of events. Lines are counted from 1. */
export class WrongLine extends Error {
  readonly line: number
  constructor(line: number, why: string) {
    super(`Line ${line}: ${why}`)
    this.line = line
  }
}

/** An event as one line of a file, with the line break. */
export const eventLine = (event: LoggedEvent): string => `${JSON.stringify(event)}\n`

/** Reads a line of a file of events; undefined if it is empty. Throws `WrongLine`. */
export function readEventLine(text: string, line: number): LoggedEvent | undefined {
  // Windows ends lines with two characters and puts a byte order mark at the start of some files.
  const trimmed = text.replace(/^\uFEFF/, '').trim()
  if (trimmed === '') return undefined
  const read = LoggedEvent.safeParse(parsed(trimmed, line))
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new WrongLine(line, issue ? `${issue.path.join('.') || 'event'}: ${issue.message}` : 'no event')
}

/** Reads a whole file of events, ascending by position. Throws `WrongLine`, also for duplicate positions. */
export function readEventLines(text: string): LoggedEvent[] {
  const events: LoggedEvent[] = []
  let last = 0
  for (const [index, line] of text.split('\n').entries()) {
    const event = readEventLine(line, index + 1)
    if (!event) continue
    if (event.position <= last) throw new WrongLine(index + 1, `position ${event.position} comes after ${last}`)
    last = event.position
    events.push(event)
  }
  return events
}

function parsed(text: string, line: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new WrongLine(line, 'not JSON')
  }
}
