import { type ImportedEntry, type Parsed, type ParserOptions, RefusedExport } from './format.ts'

/** An entry with its path as the export writes it. */
export type RawEntry = ImportedEntry & { isWindows?: boolean }

/** A line can't be read. The rest of the file can. */
export class UnreadableLineError extends Error {}

const batchSize = 4_000
const maxKeptLines = 1_000
/** Longest path, in characters. Windows has the same limit. */
const maxPath = 32_768
/** If this many lines are unreadable before the first entry, the file has another format. */
const maxUnreadableAtStart = 100

/** Collects the entries of an export in batches: resolves their paths, and counts lines that can't be read. */
export class Entries {
  readonly unreadable: Parsed['unreadable'] = { lines: [], count: 0 }
  prefix = ''
  hasFiles = false
  #isFirst = true
  #hasKnownRoot: boolean
  #root: string | undefined
  #batch: ImportedEntry[] = []

  /** `isRelative`: the paths of the format are already relative to its root. */
  constructor({ root }: Pick<ParserOptions, 'root'>, isRelative = false) {
    this.#hasKnownRoot = isRelative
    if (root !== undefined) this.root = root
  }

  /** The folder whose contents are imported, as the export writes it. */
  set root(root: string) {
    this.#root = plainPath(root, isWindowsPath(root))
    this.#hasKnownRoot = true
  }

  /** True if there is a batch to take. */
  get isFull(): boolean {
    return this.#batch.length >= batchSize
  }

  take(): ImportedEntry[] {
    const batch = this.#batch
    this.#batch = []
    return batch
  }

  /** Reads an entry with `read`. A line without an entry returns undefined, and one that can't be read throws. */
  add(line: number, read: () => RawEntry | undefined): void {
    try {
      const raw = read()
      if (raw === undefined) return
      const { isWindows, ...entry } = raw
      const path = this.#resolve(plainPath(raw.path, isWindows ?? isWindowsPath(raw.path)), entry.isDirectory)
      if (path === undefined) return
      entry.path = path
      this.#batch.push(entry)
      this.#isFirst = false
      if (!entry.isDirectory) this.hasFiles = true
    } catch (error) {
      if (!(error instanceof UnreadableLineError)) throw error
      this.skip(line, error.message)
    }
  }

  skip(line: number, reason: string): void {
    const { lines } = this.unreadable
    if (lines.length < maxKeptLines) lines.push({ line, reason })
    this.unreadable.count++
    if (this.#isFirst && this.unreadable.count >= maxUnreadableAtStart) this.#refuse()
  }

  /** Throws if there was no entry. */
  end(): void {
    if (this.#isFirst) this.#refuse()
  }

  #refuse(): never {
    const [first] = this.unreadable.lines
    const reason = first ? ` Line ${first.line}: ${first.reason}.` : ''
    throw new RefusedExport(`The file has no entries of this format.${reason}`)
  }

  /** Undefined for a folder above the root. */
  #resolve(path: string, isDirectory: boolean): string | undefined {
    if (this.#root === undefined) {
      if (!this.#hasKnownRoot) this.#widen(path, isDirectory)
      return path
    }
    const inside = within(path, this.#root)
    if (inside === undefined && !(isDirectory && within(this.#root, path) !== undefined))
      throw new UnreadableLineError(`is outside ${this.#root}`)
    return inside
  }

  #widen(path: string, isDirectory: boolean): void {
    if (this.#isFirst) this.prefix = isDirectory ? path : parentOf(path)
    // A file that is the prefix itself would leave its own name out.
    if (!isDirectory && path === this.prefix) this.prefix = parentOf(path)
    while (within(path, this.prefix) === undefined) this.prefix = parentOf(this.prefix)
  }
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** Path relative to a folder; undefined outside it. */
function within(path: string, folder: string): string | undefined {
  if (folder === '' || path === folder) return folder === '' ? path : ''
  return path.startsWith(folder) && path[folder.length] === '/' ? path.slice(folder.length + 1) : undefined
}

const isWindowsPath = (path: string): boolean => /^(?:[A-Za-z]:(?:\\|$)|\\\\)/.test(path)

/** Removes separators at both ends, doubled ones and `.`. Throws for `..`, NUL and paths that are too long. */
function plainPath(path: string, isWindows: boolean): string {
  if (path.length > maxPath) throw new UnreadableLineError(`has a path of ${path.length} characters`)
  if (path.includes('\0')) throw new UnreadableLineError('has a path with a NUL character')
  const text = isWindows ? fromWindows(path) : path
  const isPlain =
    !text.startsWith('/') && !text.endsWith('/') && !text.includes('//') && !/(?:^|\/)\.{1,2}(?:\/|$)/.test(text)
  if (isPlain) return text
  const names = text.split('/').filter((name) => name !== '' && name !== '.')
  if (names.includes('..')) throw new UnreadableLineError('has a path with ..')
  return names.join('/')
}

/** `\\?\c:\a` and `c:\a` are the same as `C:/a`. */
const fromWindows = (path: string): string =>
  path
    .replace(/^\\\\\?\\(?:UNC\\)?/, '')
    .replaceAll('\\', '/')
    .replace(/^[a-z](?=:)/, (letter) => letter.toUpperCase())
