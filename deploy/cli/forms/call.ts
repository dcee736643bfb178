import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { type Context, nextPage, requestOf, type ShortForm } from '../context.ts'
import { notFound, UsageError } from '../failures.ts'
import { sections } from '../help.ts'
import { type CallCommand, callOptions, globalOptions, type Option, type Values } from '../options.ts'

const callForm: ShortForm = {
  name: 'call',
  words: 'NAME [VALUE...]',
  summary: 'Makes any call of the API, with an option for each of its parameters.',
  examples: ['call getV1Storages', 'call getV1JobsId 12', 'call postProjects --help'],
  options: [],
  async run() {
    throw new UsageError('Name a call. "dataintell calls WORD" finds calls by their name or summary.')
  },
}

const listCalls: ShortForm = {
  name: 'calls',
  words: '[WORD]',
  summary: 'Lists the calls of the API, those with a word in their name or summary.',
  examples: ['calls', 'calls project'],
  options: [],
  async run(context) {
    const word = (context.words[0] ?? '').toLowerCase()
    const rows = context.calls.map(({ name, call, summary }) => ({ name, call, summary }))
    const found = rows.filter((row) => Object.values(row).join(' ').toLowerCase().includes(word))
    await context.write(found, ['name', 'summary'])
  },
}

export const callForms: readonly ShortForm[] = [callForm, listCalls]

export function callHelp({ name, call, summary, availability, options, hasBody }: CallCommand): string {
  const inPath = options.filter(({ place }) => place === 'path').map(({ name }) => name.toUpperCase())
  const own = callOptions.filter((option) => option.name !== 'body' || hasBody)
  return `Usage: dataintell ${['call', name, ...inPath].join(' ')} [OPTIONS]

${summary} ${availability}
${call} in the API reference, at /api/docs of the server.
${sections(['Options', [...options, ...own]], ['Options of all commands', globalOptions])}`
}

/** Finds a call by its name in the API reference, or by method and path. Throws a `Failure` for an unknown one. */
export function findCall(calls: readonly CallCommand[], name: string): CallCommand {
  const found = calls.find((one) => one.name === name || one.call === name)
  if (!found) throw notFound(`There is no call ${name}. "dataintell calls WORD" finds calls by their name or summary.`)
  return found
}

/** Makes a call with its options, and writes the answer. Further words are the parameters of its path. */
export async function runCall(context: Context, command: CallCommand): Promise<void> {
  const { words, values } = context
  const inPath = command.options.filter(({ place }) => place === 'path')
  if (words.length > inPath.length)
    throw new UsageError(`Unexpected word ${words[inPath.length]}. Options begin with --.`)
  const given = { ...values, ...Object.fromEntries(words.map((word, at) => [inPath[at]?.name ?? '', word])) }
  const { params, query, fields } = requestInput(command, given)
  const body = command.hasBody ? await readBody(context, fields) : undefined
  const send = (more: object) =>
    context.request(requestOf(command.call, { params, query: { ...query, ...more }, body }))
  const response = await send({})
  if (response.status === 204) return
  const { download } = command
  if (download !== undefined && context.isShown && !/^text|json/.test(download))
    throw new UsageError('This file is not text. Add --output FILE.')
  if (download !== undefined) return context.writeFile(response)
  const answer = (await response.json()) as Answer
  if (!context.flag('all') && !(['csv', 'table', 'null'] as const).some((form) => context.flag(form)))
    return context.writeJson(answer)
  await writeElements(context, answer, send)
}

type Row = Record<string, unknown>
type Answer = Row | Row[]

/** Writes the elements of a list in the chosen form; with `--all` those of the pages that follow, too. */
async function writeElements(
  context: Context,
  first: Answer,
  send: (more: object) => Promise<Response>,
): Promise<void> {
  const elementsOf = (answer: Answer): Row[] =>
    Array.isArray(answer) ? answer : Array.isArray(answer['elements']) ? (answer['elements'] as Row[]) : [answer]
  async function* rows() {
    for (let answer = first; ;) {
      yield* elementsOf(answer)
      const isPage = context.flag('all') && !Array.isArray(answer) && Array.isArray(answer['elements'])
      const next = isPage ? nextPage(answer as never) : undefined
      if (!next) return
      answer = (await (await send(next)).json()) as Answer
    }
  }
  await context.write(rows(), Object.keys(elementsOf(first)[0] ?? {}))
}

/** The parts of a request that the options of a call set. */
export function requestInput({ options }: CallCommand, values: Values): Record<'params' | 'query' | 'fields', Row> {
  const part = (place: Option['place']): Row =>
    Object.fromEntries(
      options
        .filter((option) => option.place === place && values[option.name] !== undefined)
        .map((option) => [option.field, valueOf(option, values[option.name])]),
    )
  return { params: part('path'), query: part('query'), fields: part('body') }
}

/** The value of an option as it is sent. Numbers and JSON that can't be read are sent as text, and the server names the field. */
function valueOf(option: Option, value: Values[string]): unknown {
  const { place, kind } = option
  if (Array.isArray(value)) return value.map((one) => valueOf(option, one))
  if (place !== 'body' || typeof value !== 'string') return value
  if (kind === 'number') return value.trim() === '' || Number.isNaN(Number(value)) ? value : Number(value)
  return kind === 'json' ? parsed(value) : value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

async function readBody({ values, terminal }: Context, fields: Row): Promise<unknown> {
  const file = values['body'] as string | undefined
  if (file === undefined) return Object.keys(fields).length > 0 ? fields : undefined
  let whole: unknown
  try {
    whole = JSON.parse(file === '-' ? await text(terminal.stdin) : readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`The body in ${file} can't be read: ${(error as Error).message}.`)
  }
  return typeof whole === 'object' && whole !== null && !Array.isArray(whole) ? { ...whole, ...fields } : whole
}
