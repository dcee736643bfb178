import { type RawEntry, UnreadableLineError } from './entries.ts'
import { formatReader, readEither, readLines } from './lines.ts'
import { readCsv } from './table.ts'
import { count, modeOfText, timeOf } from './values.ts'

const letters: Record<string, string> = { dir: 'd', symlink: 'l', link: 'l' }
const listed =
  /^\[[^\]]*\]\s+(\S+)\s+(\S+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\d+)\s+(?:(\d{4}\/\d{2}\/\d{2} \d{2}:\d{2}:\d{2})\s+)?(.*)$/

/**
 * Lines of `rbh-find -ls`: identifier, type, mode, links, owner, group, size, time, then a class or states if requested, and the path, see
 * `print_entry` in https://github.com/cea-hpc/robinhood/blob/master/src/robinhood/rbh_find.c
 */
const readListing = readLines(() => (line): RawEntry => {
  const [, type = '', mode = '', links = '', owner, group, size = '', modified = '', rest = ''] =
    listed.exec(line) ?? []
  const start = rest.indexOf('/')
  if (start < 0) throw new UnreadableLineError('has no path')
  const arrow = letters[type] === 'l' ? rest.indexOf(' -> ', start) : -1
  return {
    path: rest.slice(start, arrow < 0 ? undefined : arrow),
    isWindows: false,
    isDirectory: type === 'dir',
    size: count(size, 'size'),
    modified: timeOf(modified),
    owner,
    group,
    mode: modeOfText((letters[type] ?? '-') + mode.slice(-9)),
    linkCount: Number(links),
    linkTarget: arrow < 0 ? undefined : rest.slice(arrow + 4),
  }
})

/** `rbh-report --dump --csv` (https://github.com/cea-hpc/robinhood/blob/master/man/rbh-report.1): padded cells, and the path last. */
const readDump = readCsv({ isPadded: true, hasOwnSizes: true })

export const robinhood = formatReader(
  ['size', 'modified', 'owner', 'group', 'mode', 'linkCount', 'linkTarget'],
  readEither((start) => start.startsWith('['), readListing, readDump),
)
