import { parseArgs } from 'node:util'
import { endAll, isEnding } from './ends.ts'

type Options = Record<string, number | string | boolean | string[]>
type Run<O> = { run(given: O): Promise<number | void> }['run']

/**
 * A tool for developers: its options with their defaults, the option that can be given without its name, and its work. The work
 * prints its results, and returns the exit code, if that is not 0.
 */
export type Tool = { options: Options; positional?: string | undefined; run: Run<Options> }

export const defineTool = <O extends Options>({
  options,
  positional,
  run,
}: {
  options: O
  positional?: keyof O & string
  run: Run<O>
}): Tool => ({ options, positional, run })

/** Tools by their names on the command line. */
export type Tools = Record<string, () => Promise<{ tool: Tool }>>

/** Runs a tool with the rest of the arguments, ends what it started, and exits. */
export async function runTool(tools: Tools, [name = '', ...args]: string[]): Promise<never> {
  const load = tools[name]
  try {
    if (load === undefined) throw new Error(`There is no ${name}. Name one of ${Object.keys(tools).join(', ')}`)
    const { tool } = await load()
    process.exitCode = (await tool.run(optionsOf(tool, args))) ?? 0
  } catch (error) {
    // Calls fail once the product stops.
    if (!isEnding()) console.error(error)
    process.exitCode = 1
  }
  await endAll()
  process.exit()
}

/** Options of a tool from its arguments, or their defaults. */
function optionsOf({ options, positional }: Tool, args: string[]): Options {
  const types = Object.entries(options).map(([name, value]) => {
    const type = typeof value === 'boolean' ? ('boolean' as const) : ('string' as const)
    return [name, { type, multiple: Array.isArray(value) }] as const
  })
  const { values, positionals } = parseArgs({
    args,
    options: Object.fromEntries(types),
    allowPositionals: positional !== undefined,
  })
  const [given] = positionals
  if (positional !== undefined && given !== undefined) values[positional] = given
  const entries = Object.entries(options).map(([name, value]) => {
    const text = values[name]
    return [name, text === undefined ? value : typeof value === 'number' ? numberOf(name, String(text)) : text]
  })
  return Object.fromEntries(entries) as Options
}

function numberOf(name: string, text: string): number {
  const number = Number(text)
  if (!Number.isFinite(number)) throw new Error(`--${name} ${text} is not a number`)
  return number
}
