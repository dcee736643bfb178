import { cellOf, type Row, rowsOf } from './csv.ts'
import { type RawEntry, UnreadableLineError } from './entries.ts'
import { type CsvField, type ParserOptions, RefusedExport } from './format.ts'
import { type FormatParser, textsOf } from './lines.ts'
import { count, type DateOrder, modeOf, modeOfText, orderOf, sizeOf, timeOf } from './values.ts'

export type Columns = Partial<Record<CsvField, number>>

/** A CSV format: where its columns are, and what its cells mean. */
type CsvFormat = {
  /** Columns without a header, or with one in another language. */
  columns?: (row: readonly string[]) => Columns
  hasNoHeader?: true
  /** Paths have `\` even without a drive letter. */
  isWindows?: true
  /** Reads a path or a text that the format escapes. */
  text?: (cell: string) => string
  /** The last cell may have delimiters. Cells are padded with spaces. */
  isPadded?: true
  /** Sizes of folders are their own, not totals. */
  hasOwnSizes?: true
  /** Keys of a bucket: a backslash is part of a name. */
  isOfKeys?: true
  /** A column that only lists of folders have. */
  folderColumn?: string
}

/** Names of columns in lower case, without what is in brackets. German ones are those of TreeSize and WizTree. */
const headers: Record<CsvField, readonly string[]> = {
  path: [
    'path',
    'full path',
    'fullpath',
    'file name',
    'file path',
    'filepath',
    'filename',
    'key',
    'pfad',
    'vollständiger pfad',
    'dateiname',
  ],
  parent: ['parent_path', 'parent path', 'parent', 'folder', 'directory', 'ordnerpfad'],
  name: ['name'],
  size: ['size', 'bytes', 'file size', 'size_bytes', 'filesize', 'length', 'größe'],
  allocatedSize: ['allocated', 'allocated size', 'size on disk', 'size_du', 'blocks size', 'belegt', 'zugewiesen'],
  created: ['created', 'creation date', 'creation time', 'creationtime', 'crtime', 'erstellt', 'erstellungsdatum'],
  modified: [
    'modified',
    'last modified',
    'last change',
    'mtime',
    'last_mod',
    'lastmodifieddate',
    'lastwritetime',
    'geändert',
    'letzte änderung',
  ],
  accessed: ['last access', 'last accessed', 'accessed', 'atime', 'last_access', 'lastaccesstime', 'letzter zugriff'],
  owner: ['owner', 'user', 'uid', 'besitzer'],
  group: ['group', 'gid', 'gruppe'],
  mode: ['mode', 'permissions'],
  device: ['device', 'dev'],
  inode: ['inode', 'ino'],
  linkCount: ['nlink', 'hard links', 'hardlinks', 'links'],
  linkTarget: ['link to', 'link target', 'link'],
  etag: ['etag'],
  storageClass: ['storage class', 'storageclass'],
  kind: ['kind', 'type', 'typ', 'is directory', 'isdirectory'],
  attributes: ['attributes', 'attribute'],
  isLatest: ['islatest'],
  isDeleteMarker: ['isdeletemarker'],
  deleted: ['deleted'],
}

/** Columns of a header; undefined if it has neither a path nor a parent and a name. */
export function columnsOfHeader(cells: readonly string[]): Columns | undefined {
  const heads = cells.map((cell) =>
    cell
      .replace(/[([].*$/, '')
      .trim()
      .toLowerCase(),
  )
  const found: Columns = {}
  for (const field of Object.keys(headers) as CsvField[]) {
    const at = headers[field].map((head) => heads.indexOf(head)).find((one) => one >= 0)
    if (at !== undefined) found[field] = at
  }
  // "Filename" is a name next to a column with the folder.
  if (found.name === undefined && found.parent !== undefined && found.path !== undefined) found.name = found.path
  if (found.name !== undefined && found.parent !== undefined) delete found.path
  return hasPath(found) ? found : undefined
}

const hasPath = ({ path, parent, name }: Columns): boolean =>
  path !== undefined || (parent !== undefined && name !== undefined)

/** Lines that may come before the header: titles, as TreeSize and WizTree write them. */
const maxTitles = 10
/** Rows that decide the order of days and months, and the decimal separator. */
const maxSample = 1_000

/** Reads a CSV format. Columns given by the user take precedence over those of a header. */
export const readCsv = (format: CsvFormat): FormatParser =>
  async function* (entries, bytes, options) {
    let table: Table | undefined
    let sample: Row[] = []
    const add = function* (rows: readonly Row[]) {
      table ??= openTable(format, options, rows)
      const { headerLine, read } = table
      for (const { line, cells } of rows) {
        if (line > headerLine) entries.add(line, () => read(cells))
        if (entries.isFull) yield
      }
    }
    for await (const rows of rowsOf(textsOf(bytes, 'windows'))) {
      sample.push(...rows)
      if (table === undefined && sample.length < maxSample) continue
      yield* add(sample)
      sample = []
    }
    if (sample.length > 0) yield* add(sample)
    if (!format.hasOwnSizes && !entries.hasFiles)
      throw new RefusedExport('The file lists folders only. Export files too.')
  }

type Table = { headerLine: number; columns: Columns; read: (cells: readonly string[]) => RawEntry | undefined }

/** The first rows of a CSV as they will be read. */
function openTable(format: CsvFormat, { columns: given }: ParserOptions, rows: readonly Row[]): Table {
  const at = format.hasNoHeader ? -1 : rows.slice(0, maxTitles).findIndex(({ cells }) => columnsOfHeader(cells))
  const header = rows[at]
  const first = rows[at + 1]?.cells ?? []
  const columns = given ?? (header && columnsOfHeader(header.cells)) ?? format.columns?.(first)
  if (!columns || !hasPath(columns))
    throw new RefusedExport('Line 1: no column with the path. Choose the columns of the file.')
  if (header?.cells.some((cell) => cell.toLowerCase() === format.folderColumn))
    throw new RefusedExport(`Line ${header.line}: the file lists folders only. Export files instead.`)
  const sample = rows.slice(at + 1, maxSample)
  const cellsOf = (...fields: CsvField[]) =>
    fields.flatMap((field) => sample.map(({ cells }) => cells[columns[field] ?? -1] ?? ''))
  const order = cellsOf('created', 'modified', 'accessed')
    .map(orderOf)
    .find((one) => one !== undefined)
  const decimal = cellsOf('size', 'allocatedSize').some((cell) => /\d,\d{1,2}(?!\d)/.test(cell)) ? ',' : '.'
  return {
    headerLine: header?.line ?? 0,
    columns,
    read: (cells) => entryOf(format.isPadded ? unpadded(cells, columns) : cells, { format, columns, order, decimal }),
  }
}

function unpadded(cells: readonly string[], columns: Columns): string[] {
  const last = Math.max(...Object.values(columns))
  return [...cells.slice(0, last), cells.slice(last).join(',')].map((cell) => cell.trim())
}

type Meaning = { format: CsvFormat; columns: Columns; order: DateOrder; decimal: '.' | ',' }

function entryOf(cells: readonly string[], { format, columns, order, decimal }: Meaning): RawEntry | undefined {
  const text = (field: CsvField) => cellOf(cells, columns[field])?.trim()
  const some = (field: CsvField) => text(field) || undefined
  const time = (field: CsvField) => timeOf(text(field) ?? '', order)
  const number = (field: CsvField) => count(text(field) ?? '', field)
  if (isTrue(text('deleted')) || isTrue(text('isDeleteMarker')) || isFalse(text('isLatest'))) return undefined
  const path = (format.text ?? String)(pathOf(cells, columns))
  if (path === '') throw new UnreadableLineError('has no path')
  const isDirectory = isFolder(path, text('kind'), text('attributes'))
  const mode = text('mode') ?? ''
  const size = (field: CsvField) =>
    isDirectory && !format.hasOwnSizes ? undefined : sizeOf(text(field) ?? '', decimal)
  return {
    path,
    isDirectory,
    ...(format.isWindows && { isWindows: true }),
    ...(format.isOfKeys && { isWindows: false }),
    size: size('size'),
    allocatedSize: size('allocatedSize'),
    created: time('created'),
    modified: time('modified'),
    accessed: time('accessed'),
    owner: some('owner'),
    group: some('group'),
    mode: modeOfText(mode) ?? octal(mode, isDirectory),
    device: number('device'),
    inode: number('inode'),
    linkCount: plain(number('linkCount')),
    linkTarget: some('linkTarget'),
    etag: some('etag'),
    storageClass: some('storageClass'),
  }
}

const plain = (number: number | bigint | undefined): number | undefined =>
  number === undefined ? undefined : Number(number)

const isTrue = (text: string | undefined): boolean => /^(?:true|yes|1)$/i.test(text ?? '')
const isFalse = (text: string | undefined): boolean => /^(?:false|no|0)$/i.test(text ?? '')

const octal = (text: string, isDirectory: boolean): number | undefined =>
  /^[0-7]{3,6}$/.test(text) ? modeOf(isDirectory ? 'd' : 'f', parseInt(text, 8)) : undefined

function pathOf(cells: readonly string[], { path, parent, name }: Columns): string {
  if (path !== undefined) return cellOf(cells, path) ?? ''
  const folder = cellOf(cells, parent) ?? ''
  const own = cellOf(cells, name) ?? ''
  const separator = folder.includes('\\') && !folder.includes('/') ? '\\' : '/'
  return folder.endsWith(separator) ? folder + own : `${folder}${separator}${own}`
}

/** A path that ends with a separator is a folder in all formats. `Attributes` are letters, or a number in which 16 is a folder. */
function isFolder(path: string, kind: string | undefined, attributes: string | undefined): boolean {
  if (/[/\\]$/.test(path)) return true
  if (kind !== undefined && /^(?:d|dir|directory|folder|file folder|dateiordner|true|yes|1)$/i.test(kind)) return true
  if (attributes === undefined) return false
  return /^\d+$/.test(attributes) ? (Number(attributes) & 16) !== 0 : /^[A-Z]*D[A-Z]*$/i.test(attributes)
}
