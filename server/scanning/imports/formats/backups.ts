import { type Entries, type RawEntry, UnreadableLineError } from './entries.ts'
import { formatReader, readLines } from './lines.ts'
import { modeOf, modeOfText, readJson, timeOf } from './values.ts'

type Node = Partial<Record<string, unknown>>

/** A line that is a JSON object. */
function parse(line: string): Node {
  try {
    const value: unknown = readJson(line)
    if (typeof value === 'object' && value !== null) return value as Node
  } catch {
    // Reported below.
  }
  throw new UnreadableLineError('is not a JSON object')
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const number = (value: unknown): number | bigint | undefined =>
  typeof value === 'bigint' || (typeof value === 'number' && value >= 0) ? value : undefined
const time = (value: unknown): number | undefined => timeOf(text(value) ?? '')
const named = (name: unknown, id: unknown): string | undefined =>
  text(name) ?? (typeof id === 'number' ? String(id) : undefined)

function pathOf(node: Node): string {
  const path = text(node['path'])
  if (path === undefined) throw new UnreadableLineError('has no path')
  return path
}

/** Kinds of files of restic, by the letter of `find`. */
const kinds: Record<string, string> = {
  dir: 'd',
  file: 'f',
  symlink: 'l',
  fifo: 'p',
  socket: 's',
  dev: 'b',
  chardev: 'c',
}

/**
 * `restic ls --json SNAPSHOT`, see https://restic.readthedocs.io/en/stable/075_scripting.html#ls: the snapshot, then a node a line.
 * Access times are those of the modification unless the backup had `--with-atime`, so they are left out.
 */
export const restic = formatReader(
  ['size', 'modified', 'owner', 'group', 'mode', 'inode'],
  readLines((options, entries) => {
    let paths: string[] | undefined
    return (line): RawEntry | undefined => {
      const node = parse(line)
      if (node['struct_type'] === 'snapshot' || node['message_type'] === 'snapshot') {
        paths = Array.isArray(node['paths']) ? node['paths'].filter((path) => typeof path === 'string') : []
        return undefined
      }
      const path = pathOf(node)
      const kind = kinds[String(node['type'])]
      if (kind === undefined) throw new UnreadableLineError(`has the type ${JSON.stringify(node['type'] ?? null)}`)
      if (paths?.length === 1 && options.root === undefined) setRoot(entries, paths[0] as string, path)
      paths = undefined
      return {
        path,
        isWindows: false,
        isDirectory: kind === 'd',
        size: number(node['size']) ?? (kind === 'f' ? 0 : undefined),
        modified: time(node['mtime']),
        owner: named(node['user'], node['uid']),
        group: named(node['group'], node['gid']),
        mode: typeof node['mode'] === 'number' ? modeOf(kind, permissionsOf(node['mode'])) : undefined,
        inode: number(node['inode']),
        linkTarget: text(node['linktarget']),
      }
    }
  }),
)

/** Folders above the one that was backed up are nodes too. A relative path is a node by its last name. */
function setRoot(entries: Entries, backedUp: string, first: string): void {
  const isAbsolute = backedUp === first || backedUp.startsWith(first === '/' ? '/' : `${first}/`)
  entries.root = isAbsolute ? backedUp : `/${backedUp.split(/[/\\]/).at(-1) ?? ''}`
}

/** Of a `FileMode` of Go, whose special bits are not those of `st_mode`: https://pkg.go.dev/io/fs#FileMode. */
const permissionsOf = (mode: number): number =>
  (mode & 0o777) | (mode & (1 << 23) ? 0o4000 : 0) | (mode & (1 << 22) ? 0o2000 : 0) | (mode & (1 << 20) ? 0o1000 : 0)

/**
 * `borg list --json-lines REPOSITORY::ARCHIVE`, see https://borgbackup.readthedocs.io/en/stable/internals/frontends.html.
 * A hard link after the first has no size. Times without a zone are in that of the machine.
 */
export const borg = formatReader(
  ['size', 'modified', 'accessed', 'owner', 'group', 'mode', 'linkTarget'],
  readLines(() => (line): RawEntry => {
    const node = parse(line)
    const path = pathOf(node)
    const mode = text(node['mode']) ?? ''
    const type = text(node['type']) ?? mode[0]
    if (type === undefined) throw new UnreadableLineError('has no type')
    const isDirectory = type === 'd'
    return {
      path,
      isWindows: false,
      isDirectory,
      size: isDirectory || mode.startsWith('h') ? undefined : number(node['size']),
      modified: time(node['mtime'] ?? node['isomtime']),
      accessed: time(node['atime']),
      owner: named(node['user'], node['uid']),
      group: named(node['group'], node['gid']),
      mode: modeOfText(mode),
      linkTarget: type === 'l' ? (text(node['linktarget']) ?? text(node['source'])) : undefined,
    }
  }),
)
