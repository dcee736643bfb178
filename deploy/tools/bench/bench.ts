import { parseArgs } from 'node:util'
import type { Bench } from './benchCase.ts'

/** `npm run bench -- NAME` runs one of these, and without a name, or with a number of files, `tree`. */
const cases: Record<string, () => Promise<{ bench: Bench }>> = {
  tree: () => import('./scans/tree.ts'),
  slow: () => import('./slow/slow.ts'),
  objects: () => import('./systems/objects.ts'),
  powerscale: () => import('./systems/powerScale.ts'),
  archiving: () => import('./systems/archiving.ts'),
  questions: () => import('./questions/questions.ts'),
  projects: () => import('./questions/projects.ts'),
  reports: () => import('./reports/reports.ts'),
  replay: () => import('./replay/replay.ts'),
  live: () => import('./live/live.ts'),
  replicas: () => import('./live/replicas.ts'),
  wall: () => import('./screens/wall.ts'),
  screens: () => import('./screens/screens.ts'),
}

const [first = 'tree', ...others] = process.argv.slice(2)
const isName = !/^(-|\d)/.test(first)
const found = cases[isName ? first : 'tree']
if (found === undefined) throw new Error(`There is no benchmark ${first}. Name one of ${Object.keys(cases).join(', ')}`)
const { bench } = await found()
process.exit((await bench.run(optionsOf(bench, isName ? others : [first, ...others]))) ?? 0)

/** Options of a benchmark from its arguments, or their defaults. */
function optionsOf({ options, positional }: Bench, args: string[]): Bench['options'] {
  const types = Object.entries(options).map(([name, value]) => {
    const type = typeof value === 'boolean' ? ('boolean' as const) : ('string' as const)
    return [name, { type, multiple: Array.isArray(value) }] as const
  })
  const { values, positionals } = parseArgs({ args, options: Object.fromEntries(types), allowPositionals: true })
  const [given] = positionals
  if (positional !== undefined && given !== undefined) values[positional] = given
  const entries = Object.entries(options).map(([name, value]) => {
    const text = values[name]
    return [name, text === undefined ? value : typeof value === 'number' ? numberOf(name, String(text)) : text]
  })
  return Object.fromEntries(entries) as Bench['options']
}

function numberOf(name: string, text: string): number {
  const number = Number(text)
  if (!Number.isFinite(number)) throw new Error(`--${name} ${text} is not a number`)
  return number
}
