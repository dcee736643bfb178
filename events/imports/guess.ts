import type { ImportFormat } from './formats.ts'

/** Bytes of the start of a file, unpacked, that `guessExport` needs. */
export const guessLength = 16 * 1024

/** Starts of files, the first match counts. Formats of lines come before those of columns. */
const starts: [ImportFormat, RegExp][] = [
  ['gdu', /^\s*\[\s*\d+\s*,\s*\d+\s*,\s*\{[^}]*"progname"\s*:\s*"gdu"/],
  ['ncdu', /^\s*\[\s*\d+\s*,\s*\d+\s*,\s*\{/],
  ['restic', /^\{.*"(?:struct|message)_type"\s*:\s*"(?:snapshot|node)"/],
  ['borg', /^\{.*"path"\s*:.*"healthy"|^\{.*"mode"\s*:\s*"[-dlh][-rwxsStT]{9}"/],
  ['find', /^[dflpscbD]\t\d+\t/],
  ['du', /^\d+(?:[.,]\d+)?[KMGTPE]?\t/],
  ['robinhood', /^\[0x[0-9a-f]+:|^\s*type,\s*size,\s*user/i],
  ['gufi', /^[^\n]*\p{Cc}[dfle]\p{Cc}/u],
  ['wiztree', /^(?:[^\n]*WizTree|"?File Name"?,"?Size"?,"?Allocated)/],
  ['treesize', /^[^\n]*TreeSize|^(?:<\?xml[^>]*>\s*)?<Root\b|^[^\n]*Full Path[^\n]*Allocated/],
  ['diskover', /^[^\n]*parent_path/],
  ['dataintell', /^[^\n]*"Size \(bytes\)"/],
  ['s3-inventory', /^"[a-z0-9.-]{3,63}","[^"\n]*",(?:"\d+"|"[^"\n]*","(?:true|false)")/],
  ['csv', /^[^\n]*[,;\t|]/],
]

/** Days that a file names: in its name, in the head of ncdu and gdu, or in that of restic. */
const dayInName = /(?<!\d)(20\d\d)[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])(?!\d)/

/** Format and day of an export, from its name and its first bytes; undefined if neither tells. */
export function guessExport(name: string, start: string): { format?: ImportFormat; date?: string } {
  const text = start.replace(/^\ufeff/, '')
  const format = starts.find(([, pattern]) => pattern.test(text))?.[0]
  const [, year, month, day] = dayInName.exec(name) ?? []
  const seconds = /"timestamp"\s*:\s*(\d{9,10})\b/.exec(text)?.[1]
  const [time] = /(?<="time"\s*:\s*")20\d\d-\d\d-\d\d/.exec(text) ?? []
  const date = year ? `${year}-${month}-${day}` : seconds ? dayOfSeconds(Number(seconds)) : time
  return { ...(format && { format }), ...(date && { date }) }
}

const dayOfSeconds = (seconds: number): string => new Date(seconds * 1000).toLocaleDateString('en-CA')
