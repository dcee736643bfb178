import { nameFromBytes } from '#events/contract/fileNames.ts'
import { formatReader } from './lines.ts'
import { columnsOfHeader, readCsv } from './table.ts'

const times = ['created', 'modified', 'accessed'] as const
const sizes = ['size', 'allocatedSize'] as const

/** https://diskanalyzer.com/guide: a title, a header in the language of the user, and folders that end with `\`. */
export const wiztree = formatReader(
  [...sizes, 'modified'],
  readCsv({
    isWindows: true,
    columns: () => ({ path: 0, size: 1, allocatedSize: 2, modified: 3, attributes: 4 }),
  }),
)

/** https://docs.diskoverdata.com: `size_du` is the size on disk, and `type` is file or directory. Totals of folders are in `size` too. */
export const diskover = formatReader(
  [...sizes, 'modified', 'accessed', 'owner', 'group', 'inode', 'linkCount'],
  readCsv({}),
)

/** A search as a file of this product. A cell that a spreadsheet would read as a formula has an apostrophe before it. */
export const dataintell = formatReader(
  ['size', ...times, 'owner', 'group'],
  readCsv({
    folderColumn: 'files',
    text: (cell) => cell.replace(/^'(?=[=+\-@\t\r"'`\s]|\d)/, ''),
  }),
)

export const anyCsv = formatReader(
  [...sizes, ...times, 'owner', 'group', 'mode', 'inode', 'linkCount', 'linkTarget'],
  readCsv({}),
)

const isFlag = (cell: string | undefined): boolean => cell === 'true' || cell === 'false'

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage-inventory-location.html: no header; columns as in the `fileSchema` of
 * the manifest, which starts with the bucket and the key. Keys are URL-encoded. Older versions are left out.
 */
export const s3Inventory = formatReader(
  ['size', 'modified', 'etag', 'storageClass'],
  readCsv({
    isOfKeys: true,
    hasOwnSizes: true,
    hasNoHeader: true,
    text: decodeKey,
    columns: (row) => {
      const header = columnsOfHeader(row)
      if (header) return header
      const at = isFlag(row[3]) && isFlag(row[4]) ? 5 : 2
      const versions = at === 5 ? { isLatest: 3, isDeleteMarker: 4 } : {}
      return { path: 1, size: at, modified: at + 1, etag: at + 2, storageClass: at + 3, ...versions }
    },
  }),
  true,
)

function decodeKey(key: string): string {
  const encoded = key.replaceAll('+', '%20')
  if (!encoded.includes('%')) return encoded
  try {
    return decodeURIComponent(encoded)
  } catch {
    const bytes = encoded
      .split(/(%[0-9a-fA-F]{2})/)
      .map((part) => (/^%[0-9a-fA-F]{2}$/.test(part) ? Buffer.from(part.slice(1), 'hex') : Buffer.from(part)))
    return nameFromBytes(Buffer.concat(bytes))
  }
}
