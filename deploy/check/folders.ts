import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Maximum number of code files in a folder. */
const maxFilesInFolder = 20
/** A file of up to this many lines that only one neighbor imports belongs into that neighbor. */
const maxLinesOfFragment = 30

/** A code file, with its path from the checkout. */
type Source = { path: string; text: string }

/** True if no folder has too many files and no file is too small. False if there are no files. */
export async function checkFolders(): Promise<boolean> {
  const sources = codeFiles().map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  const faults = [...crowdedFolders(sources), ...fragments(sources)]
  for (const fault of faults) console.error(fault)
  return sources.length > 0 && faults.length === 0
}

/** Folders with too many files, not counting tests and test utilities. */
export function crowdedFolders(sources: readonly Source[]): string[] {
  const counts = new Map<string, number>()
  for (const { path } of sources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count > maxFilesInFolder)
    .map(([folder, count]) => `${folder}: ${count} files, at most ${maxFilesInFolder}`)
}

/**
 * Short files that only one neighbor imports, except lazy imports, files imported by an `index.ts`, and files named by
 * a rule.
 */
export function fragments(sources: readonly Source[]): string[] {
  const importers = new Map<string, string[]>()
  const lazy = new Set<string>()
  for (const { path, text } of sources) {
    for (const { file, isLazy } of importsOf(path, text)) {
      importers.set(file, [...(importers.get(file) ?? []), path])
      if (isLazy) lazy.add(file)
    }
  }
  return sources.flatMap(({ path, text }) => {
    const [only = '', ...others] = new Set(importers.get(path))
    const isShort = text.trimEnd().split('\n').length <= maxLinesOfFragment
    if (!isShort || others.length > 0 || dirname(only) !== dirname(path)) return []
    if (lazy.has(path) || isNamedByRule(path) || basename(only) === 'index.ts') return []
    return [`${path}: belongs into ${basename(only)}, which alone imports it`]
  })
}

const isNamedByRule = (path: string) => /^(index|routes|.+[.]state)[.]tsx?$/.test(basename(path))

/** Our files that a text imports. Dynamic imports and threads are lazy. */
function importsOf(path: string, text: string): { file: string; isLazy: boolean }[] {
  const specifiers = text.matchAll(/(\bfrom |\bimport |\bimport\(\s*|\bnew URL\()'([#.][^']*|[^'/]+[.]tsx?)'/g)
  return [...specifiers].map(([, how = '', specifier = '']) => ({
    file: specifier.startsWith('#') ? specifier.slice(1) : join(dirname(path), specifier),
    isLazy: how.endsWith('('),
  }))
}

const isForTests = (path: string) => /[.]test[.]tsx?$|(^|\/)testing([.]ts|\/)|\/oracle\//.test(path)

const codeFiles = () =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'events', 'server', 'agent', 'client', 'deploy'], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => /[.]tsx?$/.test(path) && !isForTests(path) && existsSync(path))
