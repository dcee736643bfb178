import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readEventLines } from '#events/event-log/lines.ts'
import type { Job } from '#events/jobs/events.ts'

const read = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8')

/** The version of `evolve` that wrote the log. */
export const keptVersion: number = 2

/** Events that version 2 of `evolve` wrote: jobs that scan and jobs that tag, in every state. Never edit them. */
export const keptLog = () => readEventLines(read('keptLog.ndjson'))

/** What that version folded them to, by job. */
export const keptJobs = (): Job[] =>
  read('keptStates.ndjson')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Job)
