import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readEventLines } from '#events/event-log/lines.ts'
import type { Job } from '#events/jobs/events.ts'

const read = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8')

/** Version of `evolve` that wrote the log. */
export const keptVersion: number = 2

/** Events written by version 2 of `evolve`: scan and tag jobs in every state. Never edit them. */
export const keptLog = () => readEventLines(read('keptLog.ndjson'))

/** States that version 2 of `evolve` computed from the log. */
export const keptJobs = (): Job[] =>
  read('keptStates.ndjson')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Job)
