import { LoggedEvent } from './calls.ts'

/** A line of a file of events that is none, counted from one, and what is wrong with it. */
export class WrongLine extends Error {
  readonly line: number
  constructor(line: number, why: string) {
    super(`Line ${line}: ${why}`)
    this.line = line
  }
}

/** An event as one line of a file, with its end. */
export const eventLine = (event: LoggedEvent): string => `${JSON.stringify(event)}\n`

/** A line of a file of events; nothing where it is empty. Fails with `WrongLine`. */
export function readEventLine(text: string, line: number): LoggedEvent | undefined {
  // Windows ends lines with two characters, and begins some files with a mark.
  const trimmed = text.replace(/^\uFEFF/, '').trim()
  if (trimmed === '') return undefined
  const read = LoggedEvent.safeParse(parsed(trimmed, line))
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new WrongLine(line, issue ? `${issue.path.join('.') || 'event'}: ${issue.message}` : 'no event')
}

/** A whole file of events, ascending by position. Fails with `WrongLine`, also where an event comes twice. */
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
