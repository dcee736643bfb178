import { type RawEntry, UnreadableLineError } from './entries.ts'
import { RefusedExport } from './format.ts'
import { formatReader, readLines } from './lines.ts'
import { count, modeOf, modeOfText, timeOf } from './values.ts'

/** Printed by `find DIR -printf FORMAT > FILE`. NULs between entries allow any name. */
export const defaultPrintf = String.raw`%y\t%s\t%b\t%T@\t%A@\t%u\t%g\t%m\t%D\t%i\t%n\t%p\0`

type Values = Partial<Record<string, string>>
type Part = { directive: string; after: string }

/**
 * Lines of `find -printf`, see https://www.gnu.org/software/findutils/manual/html_node/find_html/Format-Directives.html.
 * The text between directives separates them. A path may contain it, so directives are read from both ends towards the path.
 */
export const find = formatReader(
  [
    'size',
    'allocatedSize',
    'created',
    'modified',
    'accessed',
    'owner',
    'group',
    'mode',
    'device',
    'inode',
    'linkCount',
    'linkTarget',
  ],
  readLines(({ printf = defaultPrintf }) => {
    const format = readFormat(printf)
    return (line) => entryOf(cut(line, format))
  }),
)

type Format = { before: string; parts: Part[]; free: number }

/** Throws for a format that doesn't have the path, or has directives next to each other. */
function readFormat(printf: string): Format {
  const [before = '', ...pieces] = printf.split(/(%[-+ #0]*\d*(?:\.\d+)?(?:[ABCT].|[^ABCT]))/)
  const parts: Part[] = []
  let start = unescape(before)
  for (let at = 0; at < pieces.length; at += 2) {
    const directive = (pieces[at] as string).replace(/^%[-+ #0]*[\d.]*/, '')
    const text = unescape(pieces[at + 1] ?? '')
    const last = parts.at(-1)
    if (directive !== '%') parts.push({ directive, after: text })
    else if (last) last.after += `%${text}`
    else start += `%${text}`
  }
  const last = parts.at(-1)
  if (last) last.after = last.after.replace(/[\n\0]$/, '')
  const free = ['p', 'P', 'f'].map((one) => parts.findIndex(({ directive }) => directive === one)).find((at) => at >= 0)
  if (free === undefined) throw new RefusedExport('The format of find needs %p, %P, or %h and %f.')
  if (parts.slice(0, -1).some(({ after }) => after === ''))
    throw new RefusedExport('The format of find needs a character such as \\t between its directives.')
  return { before: start, parts, free }
}

const escapes: Record<string, string> = { n: '\n', t: '\t', '0': '\0', '\\': '\\', r: '\r' }
const unescape = (text: string): string =>
  text.replaceAll(/\\([0-7]{3}|.)/g, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(parseInt(code, 8)) : (escapes[code] ?? code),
  )

function cut(line: string, { before, parts, free }: Format): Values {
  const values: Values = {}
  if (!line.startsWith(before)) throw new UnreadableLineError(`does not start with ${JSON.stringify(before)}`)
  let start = before.length
  for (const { directive, after } of parts.slice(0, free)) {
    const end = line.indexOf(after, start)
    if (end < 0) throw new UnreadableLineError(`has no %${directive}`)
    values[directive] = line.slice(start, end)
    start = end + after.length
  }
  let end = line.length
  for (let at = parts.length - 1; at >= free; at--) {
    const { directive, after } = parts[at] as Part
    if (!line.slice(start, end).endsWith(after)) throw new UnreadableLineError(`has no end of %${directive}`)
    end -= after.length
    if (at === free) values[directive] = line.slice(start, end)
    else {
      const separator = parts[at - 1]?.after as string
      const from = line.lastIndexOf(separator, end - separator.length)
      if (from < start) throw new UnreadableLineError(`has no %${directive}`)
      values[directive] = line.slice(from + separator.length, end)
      end = from + separator.length
    }
  }
  return values
}

const field = (values: Values, ...directives: string[]): string | undefined =>
  directives.map((one) => values[one]?.trim()).find((value) => value !== undefined && value !== '')

const time = (values: Values, letter: string): number | undefined => {
  const text = field(values, `${letter}@`, `${letter}+`)
  return text === undefined ? undefined : timeOf(text)
}

function entryOf(values: Values): RawEntry {
  const number = (directive: string) => count(field(values, directive) ?? '', `%${directive}`)
  const [blocks, kilobytes] = [number('b'), number('k')]
  const permissions = field(values, 'm')
  const kind = field(values, 'y') ?? values['M']?.[0]
  const links = number('n')
  if (permissions !== undefined && !/^[0-7]{1,5}$/.test(permissions)) throw new UnreadableLineError('has a wrong mode')
  const mode = permissions === undefined ? modeOfText(values['M'] ?? '') : modeOf(kind ?? '', parseInt(permissions, 8))
  const allocated = blocks === undefined ? kilobytes && Number(kilobytes) * 1024 : Number(blocks) * 512
  return {
    path: values['p'] ?? values['P'] ?? `${values['h'] ?? ''}/${values['f']}`,
    isWindows: false,
    isDirectory: kind === 'd',
    size: number('s'),
    allocatedSize: allocated,
    created: time(values, 'B'),
    modified: time(values, 'T'),
    accessed: time(values, 'A'),
    owner: field(values, 'u', 'U'),
    group: field(values, 'g', 'G'),
    mode,
    device: number('D'),
    inode: number('i'),
    linkCount: links === undefined ? undefined : Number(links),
    linkTarget: field(values, 'l'),
  }
}
