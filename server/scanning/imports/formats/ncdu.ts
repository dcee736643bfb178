import type { Entries, RawEntry } from './entries.ts'
import { RefusedExport } from './format.ts'
import { formatReader, maxLength, type FormatParser, textsOf } from './lines.ts'
import { readJson, timeOf } from './values.ts'

/**
 * An item of an export: `[1, 2, {"progname": …}, [root, file, [folder, …], …]]`, see https://dev.yorhel.nl/ncdu/jsonfmt.
 * gdu writes the same, without sizes of folders.
 */
type Item = Partial<{
  name: string
  asize: number
  dsize: number
  dev: number | bigint
  ino: number
  nlink: number
  hlnkc: boolean
  read_error: boolean
  excluded: string
  mtime: number
  uid: number
  gid: number
  mode: number
}>

/** Deeper trees can't be opened by their paths. */
const maxDepth = 2_048

/** Folders that are open at a place of the document. */
type Level = { path: string; device: number | bigint | undefined }

/** Reads the document in pieces: only the item at hand and the path to it are in memory. */
class NcduReader {
  #entries: Entries
  #text = ''
  #line = 1
  /** Brackets that are open. The document itself is the first. */
  #depth = 0
  #levels: Level[] = []
  /** The next item is the folder that a bracket opened. */
  #isFolder = false
  #isEnded = false
  #hasHeader = false

  constructor(entries: Entries) {
    this.#entries = entries
  }

  /** Reads what is complete. Returns early if there is a full batch; call again with no text. */
  read(text: string): void {
    this.#text += text
    let at = 0
    for (; at < this.#text.length && !this.#entries.isFull; at++) {
      const character = this.#text[at] as string
      if (character === '{') {
        const end = objectEnd(this.#text, at)
        if (end < 0) break
        this.#item(this.#text.slice(at, end))
        at = end - 1
      } else this.#mark(character)
    }
    this.#text = this.#text.slice(at)
    if (this.#text.length > maxLength && !this.#entries.isFull) this.#refuse('an item is longer than 1 MiB')
  }

  end(): void {
    if (!this.#isEnded) this.#refuse(`the file ends within ${this.#depth} open folders`)
  }

  #mark(character: string): void {
    if (character === '\n') this.#line++
    else if (character === '[') this.#open()
    else if (character === ']') this.#close()
    else if (character.trim() !== '' && character !== ',' && (this.#depth !== 1 || !/\d/.test(character)))
      this.#refuse(`${JSON.stringify(character)} is not expected`)
  }

  #open(): void {
    if (this.#isEnded || this.#isFolder) this.#refuse('a folder without a name')
    if (this.#depth >= maxDepth) this.#refuse(`folders are nested deeper than ${maxDepth}`)
    this.#isFolder = this.#depth > 0
    this.#depth++
  }

  #close(): void {
    if (this.#depth === 0 || this.#isFolder) this.#refuse('] is not expected')
    this.#depth--
    if (this.#depth > 0) this.#levels.pop()
    else this.#isEnded = true
  }

  #item(json: string): void {
    const item = this.#parse(json)
    if (this.#depth === 1 && !this.#hasHeader) {
      this.#hasHeader = true
      return
    }
    if (this.#depth < 2) this.#refuse('an item outside the root')
    const isDirectory = this.#isFolder
    this.#isFolder = false
    const parent = this.#levels.at(-1)
    const name = this.#nameOf(item, parent === undefined)
    const path = parent ? `${parent.path}/${name}` : name
    const device = whole(item.dev) ?? parent?.device
    if (isDirectory) this.#levels.push({ path, device })
    this.#entries.add(this.#line, () => entryOf(item, path, isDirectory, device))
    for (const character of json) if (character === '\n') this.#line++
  }

  #parse(json: string): Item {
    try {
      return readJson(json) as Item
    } catch {
      return this.#refuse(`${json.slice(0, 60)} is not JSON`)
    }
  }

  /** Only the root is a path. */
  #nameOf({ name }: Item, isRoot: boolean): string {
    if (typeof name !== 'string' || name === '') this.#refuse('an item without a name')
    if (!isRoot && (name.includes('/') || name === '..' || name === '.'))
      this.#refuse(`a name is ${JSON.stringify(name.slice(0, 60))}`)
    return name
  }

  #refuse(reason: string): never {
    throw new RefusedExport(`Line ${this.#line}: ${reason}.`)
  }
}

/** The position after an object, -1 if it isn't complete. Objects of items have no others within. */
function objectEnd(text: string, start: number): number {
  let isQuoted = false
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 92 && isQuoted) at++
    else if (code === 34) isQuoted = !isQuoted
    else if (code === 125 && !isQuoted) return at + 1
    else if (code === 123 && !isQuoted) return at + 1
  }
  return -1
}

const whole = (value: unknown): number | bigint | undefined => (typeof value === 'bigint' ? value : small(value))
const small = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined

function entryOf(item: Item, path: string, isDirectory: boolean, device: number | bigint | undefined): RawEntry {
  const { excluded, uid, gid } = item
  // A size that is absent is 0. gdu leaves those of folders out although they have one.
  const absent = isDirectory || excluded !== undefined ? undefined : 0
  return {
    path,
    isWindows: false,
    isDirectory: isDirectory || excluded === 'otherfs' || excluded === 'othfs' || excluded === 'kernfs',
    size: whole(item.asize) ?? absent,
    allocatedSize: whole(item.dsize) ?? absent,
    modified: item.mtime === undefined ? undefined : timeOf(String(item.mtime)),
    owner: uid === undefined ? undefined : String(uid),
    group: gid === undefined ? undefined : String(gid),
    mode: small(item.mode),
    device,
    inode: whole(item.ino),
    linkCount: small(item.nlink),
    ...(item.read_error === true && { isUnreadable: true }),
    ...(excluded !== undefined && { isExcluded: true }),
  }
}

const read: FormatParser = async function* (entries, bytes) {
  const document = new NcduReader(entries)
  for await (const text of textsOf(bytes, 'names')) {
    document.read(text)
    while (entries.isFull) {
      yield
      document.read('')
    }
  }
  document.end()
}

export const ncdu = formatReader(
  ['size', 'allocatedSize', 'modified', 'owner', 'group', 'mode', 'device', 'inode', 'linkCount'],
  read,
)
export const gdu = formatReader(['size', 'allocatedSize', 'modified', 'inode'], read)
