import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const checkout = join(import.meta.dirname, '../..')
const modules = join(checkout, 'node_modules')

/** Programs of the agent that are started by path. */
export const agentPrograms = [
  'agent/main.ts',
  'agent/scan/folders/walker.ts',
  'agent/feeds/thread.ts',
  'agent/media/readerProcess.ts',
  'agent/systems/s3/inventory/readerProcess.ts',
  'agent/watchdog/thread.ts',
  'events/node/jsonProcess.ts',
]
/** Libraries that the agent loads without an import. */
export const loadedByAgent = ['koffi']

/** Files of libraries that the agent doesn't read. */
const unused =
  /\.(d\.[cm]?ts|map|flow)$|(?<!licen[cs]e)\.(md|markdown)$|\/(docs?|examples?|test|tests|vendor)\/|\/koffi\/(src|lib)\//i

/** Imports and exports from another file that still exist when types are stripped. */
const imports = /(?:^|\n)\s*(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/g

/** Files of the agent and of the libraries that it needs in production, relative to the checkout. */
export function packagedFiles(): string[] {
  const { files, libraries } = readSources(agentPrograms)
  return [
    ...files,
    ...librariesOf([...libraries, ...loadedByAgent])
      .flatMap(filesOfLibrary)
      .filter(isUsed),
  ].sort()
}

const isUsed = (path: string): boolean => !unused.test(path.slice(relative(checkout, modules).length))

/** Follows the imports of programs. Files are relative to the checkout, libraries are names. */
export function readSources(programs: readonly string[]): { files: Set<string>; libraries: Set<string> } {
  const files = new Set<string>()
  const libraries = new Set<string>()
  const open = [...programs]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (files.has(file)) continue
    files.add(file)
    for (const [, fixed, dynamic] of readFileSync(join(checkout, file), 'utf8').matchAll(imports)) {
      const name = fixed ?? dynamic ?? ''
      if (name.startsWith('.')) open.push(join(dirname(file), name))
      else if (name.startsWith('#')) open.push(name.slice(1))
      else if (!name.startsWith('node:')) libraries.add(libraryName(name))
    }
  }
  // The package has its own.
  files.delete('package.json')
  return { files, libraries }
}

/** `@azure/storage-blob` for `@azure/storage-blob/dist/x.js`. */
const libraryName = (name: string): string => name.split('/', name.startsWith('@') ? 2 : 1).join('/')

/** Folders of libraries and of all their dependencies. Optional ones for other platforms are not installed. */
export function librariesOf(names: readonly string[]): string[] {
  const found = new Set<string>()
  const open = names.map((name) => ({ name, from: checkout }))
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const folder = folderOf(next.name, next.from)
    if (folder === undefined || found.has(folder)) continue
    found.add(folder)
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    ) as Record<string, Record<string, string> | undefined>
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) open.push({ name, from: folder })
  }
  return [...found]
}

/** Folder of a library as Node resolves it from another folder. */
function folderOf(name: string, from: string): string | undefined {
  for (let at = from; at.startsWith(checkout); at = dirname(at)) {
    const folder = join(at, 'node_modules', name)
    if (existsSync(join(folder, 'package.json'))) return folder
  }
  return undefined
}

/** Files and links of a library's folder, relative to the checkout, without those of libraries in it. */
export const filesOfLibrary = (folder: string): string[] =>
  globSync('**/*', { cwd: folder, withFileTypes: true, exclude: (file) => file.name === 'node_modules' })
    .filter((file) => !file.isDirectory())
    .map((file) => relative(checkout, join(file.parentPath, file.name)))
