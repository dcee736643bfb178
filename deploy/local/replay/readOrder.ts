import { parseArgs } from 'node:util'
import type { EventLimit } from '#server/messages/event-log/index.ts'

export const usage = 'npm run replay -- [--check] [--stream NAME] [--until POSITION|MOMENT] [--import FILE]'

/** The command: `until` shows states, `file` folds a file, otherwise the log is folded and compared. */
export type Order = {
  check: boolean
  stream: string | undefined
  until: EventLimit | undefined
  file: string | undefined
}

const options = {
  check: { type: 'boolean', default: false },
  stream: { type: 'string' },
  until: { type: 'string' },
  import: { type: 'string' },
} as const

/** Parses the arguments, or returns an error message. */
export function readOrder(args: string[]): Order | { wrong: string } {
  const read = parsed(args)
  if ('wrong' in read) return read
  const { check, stream, until: moment, import: file } = read
  if (file !== undefined && (check || stream !== undefined || moment !== undefined))
    return { wrong: '--import goes with nothing else' }
  if (check && moment !== undefined) return { wrong: '--check and --until do not go together' }
  const until = moment === undefined ? undefined : readUntil(moment)
  return until && 'wrong' in until ? until : { check, stream, until, file }
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args: args, options }).values
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) }
  }
}

/** A whole number is a position; anything else is a time, and a day means its start in UTC. */
function readUntil(text: string): EventLimit | { wrong: string } {
  if (/^\d{1,15}$/.test(text)) return { position: Number(text) }
  const at = new Date(text)
  const isMoment = /^\d{4}-\d{2}-\d{2}/.test(text)
  return isMoment && !Number.isNaN(at.getTime()) ? { at } : { wrong: `--until ${text} is not a position or a time` }
}
