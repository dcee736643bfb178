import { shownName } from '#events/sources/p5Names.ts'
import { isName } from './names.ts'

/*
 * Details of P5's REST API that no public source confirms. Everything here accepts each reading, and is the only place that
 * depends on one.
 */

/** Paths of a call of the group `general`, in the order to try: an old capture of P5 has no groups. */
export const generalPaths = (call: string): [string, string] => [`general/${call}`, call]

/** Paths that may list the top level of an index. Some versions don't list it. */
export const rootPaths = ['inventory/', 'inventory'] as const

/** Folders at the top of an index whose top level can't be listed: those of macOS and of Linux. */
export const usualTopFolders = ['Volumes', 'mnt']

/** A header value for Node, which refuses most letters: those are percent-encoded as UTF-8. */
export const headerValue = (value: string): string => (/^[\x20-\x7e]*$/.test(value) ? value : encodeURIComponent(value))

/** Property of an object in any spelling: `deletefiles` finds `deleteFiles` and `DELETE_FILES`. */
export function propertyOf(object: object, name: string): unknown {
  const found = Object.entries(object).find(([key]) => key.toLowerCase().replaceAll(/[_ -]/g, '') === name)
  return found?.[1]
}

/** Text of a value; '' for none, which P5 may write as `<empty>`. */
export function textOf(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  return text === '<empty>' ? '' : text
}

/** Whole number of a value, which may be a text; undefined for none. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Math.floor(value)
  const text = textOf(value).trim()
  return /^-?\d+(\.\d+)?$/.test(text) ? Math.floor(Number(text)) : undefined
}

/** A boolean, which may be a number or a text. */
export const isSet = (value: unknown): boolean => value === true || /^(1|true|yes|on)$/i.test(textOf(value))

/** An entry of an inventory. The names of its other properties are confirmed. */
export type ListedEntry = Partial<
  Record<'volumes' | 'volume' | 'volumeid' | 'volumeId' | 'volumeIds' | 'type', unknown>
>

/** IDs of the volumes of an entry, as a list or a text with blanks between them. */
export function volumeIdsOf(entry: ListedEntry): string[] {
  const value = entry.volumes ?? entry.volume ?? entry.volumeid ?? entry.volumeId ?? entry.volumeIds
  const ids = Array.isArray(value) ? (value as unknown[]) : textOf(value).split(/[\s,]+/)
  return ids.map(textOf).filter((id) => id !== '')
}

/** Only the word for directories is confirmed; everything else is a file. */
export const isDirectory = ({ type }: ListedEntry): boolean => /^directory$/i.test(textOf(type))

/** Attributes of a dump, whose lines have the path in the index before them. */
export const dumpAttributes = 'size btime mtime volumes'

/** State of an entry, to compare it with its others. Of a folder, only the archive time does. `volumes`: IDs in order, with blanks. */
export type EntryFacts = { size: number; modified: number; archived: number; volumes: string }

/** An entry of a dump, in a folder such as '/a/b'. A folder that only paths of entries below it name has no facts. */
export type DumpedEntry = { folder: string; name: string; facts?: EntryFacts }

/**
 * Reads a line of a dump; undefined for others. It is not confirmed how a dump writes tabs, line feeds and other bytes in names: an entry
 * that is read differently from the inventory looks changed, so that its folder is listed each time.
 */
export function dumpedEntryIn(line: string): DumpedEntry | undefined {
  const [path = '', size, archived, modified, volumes, ...others] = line.split('\t')
  const names = path.split('/').filter(isName).map(shownName)
  const name = names.pop()
  if (!path.startsWith('/') || name === undefined || volumes === undefined || others.length > 0) return undefined
  const folder = names.map((each) => `/${each}`).join('')
  const time = (value: unknown) => Math.max(0, numberOf(value) ?? 0)
  const ids = volumeIdsOf({ volumes: volumes.trim() }).sort().join(' ')
  return {
    folder,
    name,
    facts: { size: numberOf(size) ?? -1, archived: time(archived), modified: time(modified), volumes: ids },
  }
}

/**
 * True if a dump has this entry unchanged. An entry with several generations may have several lines: the last archived counts. A folder may
 * have no line of its own, and has the size 0, which files may have too.
 */
export function isAsDumped(known: EntryFacts & { isDirectory: boolean }, dumped: readonly DumpedEntry[]): boolean {
  const lines = dumped.flatMap(({ facts }) => facts ?? [])
  const last = lines.find(({ archived }) => archived === Math.max(...lines.map((line) => line.archived)))
  if (known.isDirectory) return dumped.length > 0 && (!last || (last.size === 0 && last.archived === known.archived))
  if (!last) return false
  const { size, modified, archived, volumes } = known
  return last.size === size && last.modified === modified && last.archived === archived && last.volumes === volumes
}
