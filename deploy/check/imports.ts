import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'

type Cruised = {
  modules: { source: string; dependencies: { resolved: string; dependencyTypes: string[] }[] }[]
  summary: { error: number; violations: { from: string; to: string; rule: { name: string } }[] }
}

const program = [
  '--import',
  import.meta.resolve('./parseJsx.ts'),
  join(import.meta.dirname, '../../node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
]
const folders = ['events', 'server', 'agent', 'client', 'deploy']

/** Which files of ours a file imports; what it imports of types alone is left out. */
export type ImportGraph = Map<string, string[]>

/**
 * Whether imports go one way, and the graph of them. Fails when a file of ours was not looked at: an empty look finds nothing wrong.
 * Throws what a file holds that cannot be read.
 */
export async function cruiseImports(): Promise<{ isGood: boolean; graph: ImportGraph }> {
  const { stdout, stderr } = spawnSync(process.execPath, [...program, ...folders, '--output-type', 'json'], {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  if (stdout === '') throw new Error(stderr.trim())
  const { modules, summary } = JSON.parse(stdout) as Cruised
  for (const { from, to, rule } of summary.violations) console.error(`${rule.name}: ${from} → ${to}`)
  const seen = new Set(modules.map(({ source }) => source))
  const missed = sources().filter((file) => !seen.has(file))
  for (const file of missed) console.error(`not looked at: ${file}`)
  const imported = (dependencies: Cruised['modules'][number]['dependencies']) =>
    dependencies.filter(({ dependencyTypes }) => !dependencyTypes.includes('type-only')).map(({ resolved }) => resolved)
  const graph = new Map(modules.map(({ source, dependencies }) => [source, imported(dependencies)]))
  return { isGood: summary.error === 0 && missed.length === 0 && seen.size > 0, graph }
}

/** Whether imports go one way. */
export const checkImports = async (): Promise<boolean> => (await cruiseImports()).isGood

const sources = () =>
  execFileSync('git', ['ls-files', '--', ...folders], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => /[.]tsx?$/.test(file))
