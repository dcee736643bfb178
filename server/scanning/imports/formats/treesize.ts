import type { Entries } from './entries.ts'
import { RefusedExport } from './format.ts'
import { checkLength, formatReader, type FormatParser, readEither, textsOf } from './lines.ts'
import { readCsv } from './table.ts'
import { timeOf } from './values.ts'

/** Folders nested deeper can't be opened by their paths. */
const maxDepth = 2_048

type Open = {
  element: string
  isEntry: boolean
  path: string
  text: string
  size: number
  allocated: number
  /** Totals of the entries below. */
  inside: { size: number; allocated: number }
  modified: number | undefined
  isUnreadable: boolean
}

/**
 * XML of TreeSize, as https://manuals.jam-software.com/treesize/EN/export.html describes and its style sheets read it: nested `Folder` (and
 * `File`) elements with `Name`, `SizeData Size="" Allocated=""`, `LastChangeDate High="" Low=""` and `Error`. Sizes of folders are totals.
 * The difference to what is listed below is shown as `*.*`, which is also how TreeSize names the files of a folder together.
 */
class TreeSizeReader {
  #entries: Entries
  #open: Open[] = []
  #text = ''
  #line = 1

  constructor(entries: Entries) {
    this.#entries = entries
  }

  /** Reads complete tags. Returns early if there is a full batch; call again with no text. */
  read(text: string): void {
    this.#text += text
    let at = 0
    while (!this.#entries.isFull) {
      const start = this.#text.indexOf('<', at)
      const end = start < 0 ? -1 : tagEnd(this.#text, start)
      if (end < 0) break
      this.#addText(this.#text.slice(at, start))
      this.#tag(this.#text.slice(start + 1, end - 1))
      at = end
    }
    this.#text = this.#text.slice(at)
    if (!this.#entries.isFull) checkLength(this.#text, this.#line)
  }

  end(): void {
    if (this.#open.length > 0) this.#refuse(`the file ends within ${this.#open.length} open elements`)
  }

  #addText(text: string): void {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#line++
    const open = this.#open.at(-1)
    if (open?.element !== 'Name') return
    open.text += text
    checkLength(open.text, this.#line)
  }

  #tag(tag: string): void {
    if (tag.startsWith('!DOCTYPE')) this.#refuse('document types are not read')
    if (tag.startsWith('?') || tag.startsWith('!')) return
    if (tag.startsWith('/')) return this.#close(tag.slice(1).trim())
    const [, element = '', attributes = ''] = /^([^\s/]+)([^]*)$/.exec(tag) ?? []
    if (this.#open.length >= maxDepth * 2) this.#refuse(`elements are nested deeper than ${maxDepth * 2}`)
    this.#start(element, attributes)
    if (tag.endsWith('/')) this.#close(element)
  }

  #start(element: string, attributes: string): void {
    const owner = this.#open.findLast(({ isEntry }) => isEntry)
    const number = (name: string) =>
      Number(new RegExp(`\\b${name}\\s*=\\s*["']?(\\d{1,19})\\b`).exec(attributes)?.[1] ?? 0)
    if (element === 'SizeData' && owner) Object.assign(owner, { size: number('Size'), allocated: number('Allocated') })
    if (element === 'LastChangeDate' && owner) owner.modified = timeOfFile(number('High'), number('Low'))
    if (element === 'Error' && owner) owner.isUnreadable = true
    this.#open.push({
      element,
      isEntry: element === 'Folder' || element === 'File',
      path: owner?.path ?? '',
      text: '',
      size: 0,
      allocated: 0,
      inside: { size: 0, allocated: 0 },
      modified: undefined,
      isUnreadable: false,
    })
  }

  #close(element: string): void {
    const open = this.#open.pop()
    if (open?.element !== element) this.#refuse(`</${element.slice(0, 60)}> is not expected`)
    const owner = this.#open.findLast(({ isEntry }) => isEntry)
    if (element === 'Name' && owner && this.#open.at(-1) === owner) {
      const name = unescape(open.text.trim())
      const isPath = /^(?:[A-Za-z]:|\\\\)/.test(name)
      owner.path = isPath || owner.path === '' ? name : `${owner.path}\\${name}`
    }
    if (!open.isEntry) return
    this.#emit(open)
    if (!owner) return
    owner.inside.size += open.size
    owner.inside.allocated += open.allocated
  }

  #emit({ element, path, size, allocated, inside, modified, isUnreadable }: Open): void {
    if (path === '') this.#refuse(`a ${element} without a name`)
    const add = (entry: object, isDirectory: boolean, name: string) =>
      this.#entries.add(this.#line, () => ({ path: name, isWindows: true, isDirectory, modified, ...entry }))
    if (element === 'File') return add({ size, allocatedSize: allocated }, false, path)
    add(isUnreadable ? { isUnreadable } : {}, true, path)
    const rest = { size: size - inside.size, allocatedSize: Math.max(0, allocated - inside.allocated) }
    if (rest.size > 0) add({ ...rest, modified: undefined }, false, `${path}\\*.*`)
  }

  #refuse(reason: string): never {
    throw new RefusedExport(`Line ${this.#line}: ${reason}.`)
  }
}

/** The position after a tag, -1 if it isn't complete. Values in quotes may have `>`. */
function tagEnd(text: string, start: number): number {
  if (text.startsWith('<!--', start)) {
    const end = text.indexOf('-->', start + 4)
    return end < 0 ? -1 : end + 3
  }
  let quote = ''
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at] as string
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === '>') return at + 1
  }
  return -1
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const unescape = (text: string): string =>
  text.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,4}));/gi,
    (whole, decimal?: string, hex?: string, name = '') => {
      const code = decimal ? Number(decimal) : parseInt(hex ?? '', 16)
      if (Number.isNaN(code)) return named[String(name).toLowerCase()] ?? whole
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )

/** Windows counts 100 ns since 1601. */
function timeOfFile(high: number, low: number): number | undefined {
  const seconds = (high * 2 ** 32 + low) / 1e7 - 11_644_473_600
  return high === 0 ? undefined : timeOf(String(Math.max(1, Math.floor(seconds))))
}

const readXml: FormatParser = async function* (entries, bytes) {
  const document = new TreeSizeReader(entries)
  for await (const text of textsOf(bytes, 'windows')) {
    document.read(text)
    while (entries.isFull) {
      yield
      document.read('')
    }
  }
  document.end()
}

/** XML, or CSV with the columns that the user chose. */
export const treesize = formatReader(
  ['size', 'allocatedSize', 'created', 'modified', 'accessed', 'owner'],
  readEither((start) => /^[^\w"]*</.test(start), readXml, readCsv({ isWindows: true })),
)
