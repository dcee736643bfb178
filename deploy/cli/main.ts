import { randomUUID } from 'node:crypto'
import { chmodSync, createWriteStream, openSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { Context, inheritedOptions, type ShortForm, type Terminal } from './context.ts'
import { exitCodes, Failure, UsageError } from './failures.ts'
import { callForms, callHelp, findCall, runCall } from './forms/call.ts'
import { folderForms } from './forms/folders.ts'
import { importForms } from './forms/imports.ts'
import { searchForms } from './forms/search.ts'
import { setupForms } from './forms/setup.ts'
import { workForms } from './forms/work.ts'
import { formHelp, mainHelp } from './help.ts'
import { type CallCommand, callOptions, findCommand, globalOptions, readOptions, type Values } from './options.ts'
import { printable, write } from './output.ts'

/** Facts of the build: the calls of the API, and the version of the product. */
type Built = { calls: readonly CallCommand[]; version: string }

/** Runs a command line. Returns the exit code. */
export async function main(argv: readonly string[], terminal: Terminal, built: Built): Promise<number> {
  // Messages that no one reads change no exit code.
  terminal.stderr.on('error', () => {})
  terminal.stdout.on('error', (error: Error & { code?: string }) => {
    // The reader has all that it wants, as `head`.
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? exitCodes.done)
    terminal.stderr.write(`dataintell: the output can't be written: ${error.message}\n`)
    process.exit(exitCodes.failed)
  })
  try {
    await (argv[0] === '--version'
      ? write(terminal.stdout, `${built.version}\n`)
      : runLine(argv, terminal, built.calls))
    return exitCodes.done
  } catch (error) {
    terminal.stderr.write(`dataintell: ${printable((error as Error).message)}\n`)
    return error instanceof Failure ? error.exitCode : exitCodes.failed
  }
}

async function runLine(argv: readonly string[], terminal: Terminal, calls: readonly CallCommand[]): Promise<void> {
  const { name = 'help', rest } = findCommand(argv)
  const command = name === 'call' ? callCommand(rest, calls) : formCommand(name, rest, calls)
  const { values, words } = readOptions([...command.options, ...globalOptions], command.rest)
  if (values['help'] === true) return write(terminal.stdout, command.help())
  await withOutput(values, terminal, (out) => command.run(new Context({ words, values, terminal, calls, out })))
}

/** A short form with the words that follow its name. */
function formCommand(name: string, rest: string[], calls: readonly CallCommand[]) {
  const form = forms.find((one) => one.name === name)
  if (!form) throw new UsageError(`There is no command ${name}. ${nearest(name)}`)
  return {
    rest,
    options: [...form.options, ...inheritedOptions(calls, form.inherits)],
    help: () => formHelp(form, calls),
    async run(context: Context): Promise<void> {
      checkWords(form, context.words.length)
      await form.run(context)
    },
  }
}

function callCommand(rest: string[], calls: readonly CallCommand[]): ReturnType<typeof formCommand> {
  const { name, rest: others } = findCommand(rest)
  if (name === undefined) return formCommand('call', rest, calls)
  const command = findCall(calls, name)
  return {
    rest: others,
    options: [...command.options, ...callOptions],
    help: () => callHelp(command),
    run: (context) => runCall(context, command),
  }
}

function checkWords({ name, words }: ShortForm, count: number): void {
  const expected = words.split(' ').filter(Boolean)
  const isTooFew = count < expected.filter((word) => !word.startsWith('[')).length
  if (isTooFew || (count > expected.length && !words.includes('...')))
    throw new UsageError(`Write: dataintell ${name} ${words}. "dataintell ${name} --help" has examples.`)
}

function nearest(name: string): string {
  const near = forms.find((form) => form.name.startsWith(name.slice(0, 2)))
  return near ? `Did you mean ${near.name}?` : '"dataintell help" lists the commands.'
}

const help: ShortForm = {
  name: 'help',
  words: '[COMMAND]',
  summary: 'Explains a command, or lists all.',
  examples: ['help', 'help search'],
  options: [],
  async run({ words: [name], calls, out }) {
    await write(out, name === undefined ? mainHelp(forms) : formCommand(name, [], calls).help())
  },
}

const complete: ShortForm = {
  name: 'complete',
  words: '[WORD...]',
  summary: 'Writes the words that may follow, for completion.',
  examples: ['complete -- search --ow'],
  options: [],
  run: ({ words, calls, out }) => write(out, `${completionsOf(words, calls).join('\n')}\n`),
}

/** Words that may follow a command line whose last word is being typed. */
function completionsOf(typed: readonly string[], calls: readonly CallCommand[]): string[] {
  const [name = '', second = ''] = typed
  if (typed.length < 2) return forms.map((form) => form.name)
  if (name === 'call' && typed.length === 2) return calls.map((call) => call.name)
  const command = name === 'call' ? callCommand([second], calls) : formCommand(name, [], calls)
  const options = [...command.options, ...globalOptions]
  const choices = options.find((option) => `--${option.name}` === typed.at(-2))?.choices
  return choices ?? (typed.at(-1)?.startsWith('-') ? options.map((option) => `--${option.name}`) : [])
}

const forms: ShortForm[] = [
  ...searchForms,
  ...folderForms,
  ...workForms,
  ...importForms,
  ...callForms,
  ...setupForms,
  help,
  complete,
]

/** Runs with the standard output, or with a file that appears once it is complete. Devices and pipes are written to directly. */
async function withOutput(values: Values, { stdout }: Terminal, run: (out: Writable) => Promise<void>): Promise<void> {
  const file = values['output'] as string | undefined
  if (file === undefined || file === '/dev/stdout') return run(stdout)
  const before = statSync(file, { throwIfNoEntry: false })
  const target = before ? realpathSync(file) : file
  const isReplaced = before?.isFile() ?? true
  const part = isReplaced ? `${target}.${randomUUID().slice(0, 8)}.part` : target
  const out = createWriteStream(part, { fd: openSync(part, isReplaced ? 'wx' : 'w', before?.mode) })
  const written = finished(out)
  // Awaited below, unless the command fails first.
  written.catch(() => {})
  try {
    await run(out)
    out.end()
    await written
    if (!isReplaced) return
    // The mode of a new file lacks the bits of the umask.
    if (before) chmodSync(part, before.mode)
    renameSync(part, target)
  } catch (error) {
    out.destroy()
    if (isReplaced) rmSync(part, { force: true })
    throw error
  }
}
