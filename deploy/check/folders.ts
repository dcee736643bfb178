import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** A folder with more files of code tells more than one story. */
const filesInFolder = 20
/** A file of so many lines or fewer that one neighbour alone imports is part of that neighbour. */
const linesOfFragment = 30

/** A file of code: its path from the checkout, and its text. */
type Source = { path: string; text: string }

/** Whether no folder holds too much and no file too little. Fails when it finds no file at all. */
export async function checkFolders(): Promise<boolean> {
  const sources = codeFiles().map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  const faults = [...crowdedFolders(sources), ...fragments(sources)]
  for (const fault of faults) console.error(fault)
  return sources.length > 0 && faults.length === 0
}

/** Folders with too many files, tests and what they use aside. */
export function crowdedFolders(sources: readonly Source[]): string[] {
  const counts = new Map<string, number>()
  for (const { path } of sources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count > filesInFolder)
    .map(([folder, count]) => `${folder}: ${count} files, at most ${filesInFolder}`)
}

/** Short files that one neighbour alone imports, and not lazily; a door or a file named by rule may be as short as it is. */
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
    const isShort = text.trimEnd().split('\n').length <= linesOfFragment
    if (!isShort || others.length > 0 || dirname(only) !== dirname(path)) return []
    if (lazy.has(path) || isNamedByRule(path) || basename(only) === 'index.ts') return []
    return [`${path}: belongs into ${basename(only)}, which alone imports it`]
  })
}

const isNamedByRule = (path: string) => /^(index|routes|.+[.]state)[.]tsx?$/.test(basename(path))

/** The files of ours that a text imports; what is loaded when it is needed, or runs as a thread, is lazy. */
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
