import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'

type CruiseResult = {
  modules: { source: string; dependencies: { resolved: string; dependencyTypes: string[] }[] }[]
  summary: { error: number; violations: { from: string; to: string; rule: { name: string } }[] }
}

const program = [
  '--import',
  import.meta.resolve('./parseJsx.ts'),
  join(import.meta.dirname, '../../node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
]
const folders = ['events', 'server', 'agent', 'client', 'deploy']

/** Our files that each file imports, without type-only imports. */
export type ImportGraph = Map<string, string[]>

/**
 * Checks the direction of imports and returns their graph. Fails if one of our files was not read, since an empty
 * result would look like success. Throws the parser's message for an unreadable file.
 */
export async function cruiseImports(): Promise<{ isGood: boolean; graph: ImportGraph }> {
  const { stdout, stderr } = spawnSync(process.execPath, [...program, ...folders, '--output-type', 'json'], {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  if (stdout === '') throw new Error(stderr.trim())
  const { modules, summary } = JSON.parse(stdout) as CruiseResult
  for (const { from, to, rule } of summary.violations) console.error(`${rule.name}: ${from} → ${to}`)
  const seen = new Set(modules.map(({ source }) => source))
  const missed = sources().filter((file) => !seen.has(file))
  for (const file of missed) console.error(`not checked: ${file}`)
  const imported = (dependencies: CruiseResult['modules'][number]['dependencies']) =>
    dependencies.filter(({ dependencyTypes }) => !dependencyTypes.includes('type-only')).map(({ resolved }) => resolved)
  const graph = new Map(modules.map(({ source, dependencies }) => [source, imported(dependencies)]))
  return { isGood: summary.error === 0 && missed.length === 0 && seen.size > 0, graph }
}

const sources = () =>
  execFileSync('git', ['ls-files', '--', ...folders], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => /[.]tsx?$/.test(file))
