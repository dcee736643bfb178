import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'

/** Kinds of hostile runs, with their defaults: inputs, rounds, minutes or earlier versions. */
export const kinds = { fuzz: 300, chaos: 3, soak: 2, upgrade: 2 } as const
export type Kind = keyof typeof kinds

export const usage = `npm run test:long -- fuzz [--count INPUTS] [--answers ANSWERS] [--from INPUT] [--only KIND]
npm run test:long -- chaos [--count ROUNDS] [--minutes MAX]
npm run test:long -- soak [--minutes MINUTES] [--every SECONDS]
npm run test:long -- upgrade [--count VERSIONS] [--only COMMIT]
Each also takes --seed N, which repeats a run.`

/** Options of a run. `count` is in the unit of its kind. */
export type HostileOptions = {
  kind: Kind
  seed: number
  count: number
  /** Changed answers that a fuzz run sends after its other inputs. */
  answers: number
  /** First input of a fuzz run, counted from 0. */
  from: number
  /** Chaos starts no round after this. */
  minutes: number | undefined
  /** Seconds between the scans of a soak. */
  every: number
  only: string | undefined
}

const options = {
  seed: { type: 'string' },
  count: { type: 'string' },
  answers: { type: 'string' },
  from: { type: 'string' },
  minutes: { type: 'string' },
  every: { type: 'string' },
  only: { type: 'string' },
} as const

export const isKind = (word: string | undefined): word is Kind => word !== undefined && word in kinds

/** Parses the arguments of a run, or returns an error message. Without `--seed` the seed is random. */
export function readOptions(args: string[]): HostileOptions | { wrong: string } {
  try {
    const { positionals, values } = parseArgs({ args, options, allowPositionals: true })
    const [kind, ...more] = positionals
    if (!isKind(kind) || more.length > 0) return { wrong: `Name one of ${Object.keys(kinds).join(', ')}` }
    const number = (name: 'seed' | 'count' | 'answers' | 'from' | 'minutes' | 'every', otherwise: number) =>
      numberOf(name, values[name], otherwise)
    return {
      kind,
      seed: number('seed', randomInt(1_000_000)),
      count: number('count', kinds[kind]),
      answers: number('answers', 10_000),
      from: number('from', 0),
      minutes: values.minutes === undefined ? undefined : number('minutes', 0),
      every: number('every', 20),
      only: values.only,
    }
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) }
  }
}

function numberOf(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} ${text} is not a whole number`)
  return Number(text)
}
