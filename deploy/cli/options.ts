import { parseArgs } from 'node:util'
import { UsageError } from './failures.ts'

/** An option of a command. */
export type Option = {
  /** As written after `--`. */
  name: string
  /** Parameter of the call that it sets, and the part of the request. `own` options are for the command line itself. */
  field: string
  place: 'path' | 'query' | 'body' | 'own'
  /** `json` is JSON, or a text that isn't. */
  kind: 'text' | 'number' | 'flag' | 'json'
  isList: boolean
  isRequired: boolean
  description: string
  choices?: string[]
  short?: string
}

/** A call of the API as a command: `dataintell call NAME`. */
export type CallCommand = {
  /** `operationId` of the API reference. */
  name: string
  /** Method and path, `GET /v1/jobs/:id`. */
  call: string
  summary: string
  /** Sentences about who may make the call. */
  availability: string
  options: Option[]
  hasBody: boolean
  /** Media type of the file that the call returns. */
  download?: string
}

/** Values of options by name. A flag is true or false, and a list has all of its values. */
export type Values = Record<string, string | boolean | string[] | undefined>

/** An option of the command line itself. */
export const own = (name: string, description: string, kind: Option['kind'] = 'flag', short?: string): Option => ({
  name,
  field: name,
  place: 'own',
  kind,
  isList: false,
  isRequired: false,
  description,
  ...(short !== undefined && { short }),
})

/** Options of every command. */
export const globalOptions: readonly Option[] = [
  own('json', 'One JSON object per line. The default in a pipe.'),
  own('csv', 'CSV with a header.'),
  own('table', 'A table. The default on a terminal.'),
  own('null', 'Only paths, each ended by a NUL byte, as for xargs -0.', 'flag', '0'),
  own('output', 'File to write to instead of the standard output.', 'text', 'o'),
  own('server', 'Address of the product. Default: DATAINTELL_SERVER, or that of the profile.', 'text'),
  own('profile', 'Profile of "dataintell login". Default: the first one.', 'text'),
  own('token-file', 'File with the API token. Default: DATAINTELL_TOKEN_FILE, or that of the profile.', 'text'),
  own('help', 'Explains the command.'),
]

/** Options of `dataintell call` besides those of the call. */
export const callOptions: readonly Option[] = [
  own('body', 'File with the body as JSON, or - for the standard input. Options of fields take precedence.', 'text'),
  own('all', 'All pages of a list, one element per line.'),
]

/** Splits a command line into the name of the command, which may follow global options, and the other words. */
export function findCommand(argv: readonly string[]): { name: string | undefined; rest: string[] } {
  const { tokens } = parseArgs({
    args: [...argv],
    options: configOf(globalOptions),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const first = tokens.find(({ kind }) => kind === 'positional')
  return first
    ? { name: argv[first.index], rest: argv.filter((_, index) => index !== first.index) }
    : { name: undefined, rest: [...argv] }
}

/** Reads the words after a command. Throws a `UsageError` for unknown options and missing values. */
export function readOptions(options: readonly Option[], words: readonly string[]): { values: Values; words: string[] } {
  const end = words.indexOf('--')
  const args = words.slice(0, end < 0 ? words.length : end).map((word) => normalized(options, word))
  try {
    const read = parseArgs({
      args: [...args, ...words.slice(args.length)],
      options: configOf(options),
      allowPositionals: true,
      allowNegative: true,
    })
    return { values: read.values as Values, words: read.positionals }
  } catch (error) {
    throw new UsageError(messageOf(error as Error, options))
  }
}

const configOf = (options: readonly Option[]) =>
  Object.fromEntries(
    options.map(({ name, kind, isList, short }) => [
      name,
      {
        type: kind === 'flag' ? 'boolean' : 'string',
        multiple: isList,
        ...(short !== undefined && { short }),
      } as const,
    ]),
  )

/** Accepts `--last-access-after` for `--lastAccessAfter`, and `--flag=false` for `--no-flag`. */
function normalized(options: readonly Option[], word: string): string {
  const [, no = '', written = '', value] = /^--(no-)?([\w.-]+)(?:=(.*))?$/s.exec(word) ?? []
  const camel = written.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const option = options.find(({ name }) => name === written) ?? options.find(({ name }) => name === camel)
  if (!option) return word
  if (option.kind === 'flag' && (value === 'true' || value === 'false'))
    return `--${value === 'false' ? 'no-' : ''}${option.name}`
  return `--${no}${option.name}${value === undefined ? '' : `=${value}`}`
}

function messageOf({ message }: Error, options: readonly Option[]): string {
  const [, unknown] = /^Unknown option '(?:--)?(?:no-)?([^']+)'/.exec(message) ?? []
  if (unknown === undefined) return message.replace(/\. To specify an option argument[^]*/, '.')
  const letters = unknown.replaceAll('-', '').toLowerCase()
  const near = options.find(({ name }) => letters.length > 2 && name.toLowerCase().includes(letters))
  const hint = near ? `Did you mean --${near.name}?` : 'Add --help to list the options.'
  return `Unknown option ${unknown.startsWith('-') ? '' : '--'}${unknown}. ${hint}`
}

/** Lines that explain options, as in a help text. */
export const optionLines = (options: readonly Option[]): string[] =>
  options.map((option) => {
    const { name, short, kind, choices, isList, isRequired, description } = option
    const value = kind === 'flag' ? '' : ` ${kind === 'number' ? 'N' : kind === 'json' ? 'VALUE' : 'TEXT'}`
    const left = `  ${short === undefined ? '    ' : `-${short}, `}--${name}${value}`
    const notes = [
      description,
      choices && `One of: ${choices.join(', ')}.`,
      isList && 'Repeat it for several.',
      isRequired && 'Required.',
    ]
    return `${left.padEnd(34)}  ${notes.filter(Boolean).join(' ')}`.trimEnd()
  })
