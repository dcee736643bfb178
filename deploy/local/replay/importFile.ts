import { counted } from '#events/contract/counted.ts'
import { open } from 'node:fs/promises'
import { WrongLine, readEventLine } from '#events/event-log/lines.ts'
import { type LoggedEvent, failureTypes } from '#events/event-log/calls.ts'
import type { Job } from '#events/jobs/events.ts'
import { jobIdOfStream } from '#events/streams.ts'
import { evolveStream, emptyState } from '#events/jobs/replay.ts'

type Print = (line: string) => void
type Sandbox = {
  events: number
  failures: number
  first?: LoggedEvent
  last?: LoggedEvent
  states: Map<string, unknown>
}

/** Folds a file of events in memory and prints the result. Returns the exit code. */
export async function importFile(path: string, print: Print): Promise<number> {
  try {
    printSummary(await foldFile(path), print)
    return 0
  } catch (error) {
    if (!(error instanceof WrongLine) && !(error instanceof Error && 'code' in error)) throw error
    print(`${path}: ${error.message}`)
    return 1
  }
}

async function foldFile(path: string): Promise<Sandbox> {
  const sandbox: Sandbox = { events: 0, failures: 0, states: new Map() }
  const file = await open(path)
  let line = 0
  for await (const text of file.readLines()) {
    const event = readEventLine(text, ++line)
    if (!event) continue
    if (sandbox.last && event.position <= sandbox.last.position)
      throw new WrongLine(line, `position ${event.position} comes after ${sandbox.last.position}`)
    sandbox.events += 1
    if (failureTypes.includes(event.type)) sandbox.failures += 1
    sandbox.first ??= event
    sandbox.last = event
    sandbox.states.set(event.stream, evolveStream(sandbox.states.get(event.stream) ?? emptyState, event))
  }
  return sandbox
}

function printSummary({ events, failures, first, last, states }: Sandbox, print: Print): void {
  if (!first || !last) return print('The file contains no events')
  print(`${counted(events, 'event')}, positions ${first.position} to ${last.position}, ${first.at} to ${last.at}`)
  print(`${failures} of them ${failures === 1 ? 'is a failure' : 'are failures'}`)
  const jobs = [...states].filter(([stream]) => jobIdOfStream(stream) !== undefined)
  const byStatus = Object.groupBy(jobs, ([, state]) => (state as Job | null)?.status ?? 'without a beginning')
  const statuses = Object.entries(byStatus).map(([status, some = []]) => `${some.length} ${status}`)
  print(
    `${counted(states.size, 'stream')}, ${jobs.length} of them jobs${jobs.length > 0 ? `: ${statuses.join(', ')}` : ''}`,
  )
}
