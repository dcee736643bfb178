import { type RawEntry, UnreadableLineError } from './entries.ts'
import { formatReader, readLines } from './lines.ts'
import { sizeOf, timeOf } from './values.ts'

const timed = /^(\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}(?::\d{2}(?:\.\d+)? [+-]\d{4})?)?|\d{9,})\t/

/**
 * Lines of `du -a`: `SIZE [TIME] PATH`, each folder after its contents, see
 * https://www.gnu.org/software/coreutils/manual/html_node/du-invocation.html. A number counts units of 1,024 bytes unless `unit` says
 * otherwise; with `-h` it has its own unit. It is the size on disk, or with `-b` and the unit 1 the size. Links after the first are left out by `du`.
 */
export const du = formatReader(
  ['size', 'allocatedSize', 'modified'],
  readLines(({ unit = 1024 }) => {
    let previousParent: string | undefined
    return (line): RawEntry => {
      const tab = line.indexOf('\t')
      if (tab <= 0) throw new UnreadableLineError('has no tab after the size')
      const text = line.slice(0, tab).trim()
      const number = sizeOf(text) ?? 0
      const size = /\d$/.test(text) ? Number(number) * unit : number
      const rest = line.slice(tab + 1)
      const time = timed.exec(rest)?.[1]
      const path = time === undefined ? rest : rest.slice(time.length + 1)
      const isDirectory = path === previousParent || path.endsWith('/') || path === '.'
      previousParent = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) || '/' : '.'
      const modified = time === undefined ? undefined : timeOf(time)
      // The number of a folder is the total of its contents.
      if (isDirectory) return { path, isDirectory, modified, isWindows: false }
      const sizes = unit === 1 ? { size } : { allocatedSize: size }
      return { path, isDirectory, ...sizes, modified, isWindows: false }
    }
  }),
)
