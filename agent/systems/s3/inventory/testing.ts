import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { type BasicType, parquetWriteBuffer } from 'hyparquet-writer'
import type { StoredObject } from '../../objectEntry.ts'
import { keyIn } from '../simulator/answers.ts'
import { objectsOf } from '../simulator/index.ts'

/** A row of an inventory: an object, or one that is not there any more. */
export type InventoryRowMade = StoredObject & { isLatest?: boolean; isDeleteMarker?: boolean }

type DeliveryOptions = {
  format?: 'CSV' | 'Parquet'
  /** The folder of the inventory. */
  moment?: string
  rowsOfFile?: number
  /** Columns that it does not have. */
  without?: string[]
  /** Values that replace those of the manifest. */
  manifest?: Record<string, unknown>
}

export const folder = 'inventory/media/daily'
export const place = `s3://reports/${folder}`

/** The files of an inventory of the bucket `media`, by their keys, as Amazon delivers them. */
export function delivered(rows: readonly InventoryRowMade[], options: DeliveryOptions = {}): Map<string, Uint8Array> {
  const { format = 'CSV', moment = '2026-11-24T01-00Z', rowsOfFile = 5_000, without = [], manifest = {} } = options
  const columns = Object.keys(cells).filter((name) => !without.includes(name))
  const ending = format === 'CSV' ? 'csv.gz' : 'parquet'
  const data = Array.from({ length: Math.ceil(rows.length / rowsOfFile) }, (_, i) => {
    const some = rows.slice(i * rowsOfFile, (i + 1) * rowsOfFile)
    const bytes = format === 'CSV' ? csvOf(some, columns) : parquetOf(some, columns)
    return [`${folder}/data/${moment}-${i}.${ending}`, bytes] as const
  })
  const written = {
    sourceBucket: 'media',
    destinationBucket: 'arn:aws:s3:::reports',
    version: '2016-11-30',
    creationTimestamp: String(Date.parse(moment.replace(/T(\d\d)-(\d\d)Z/, 'T$1:$2:00Z'))),
    fileFormat: format,
    fileSchema: format === 'CSV' ? columns.join(', ') : schemaOf(columns),
    files: data.map(([key, bytes]) => ({ key, size: bytes.length, MD5checksum: md5(bytes) })),
    ...manifest,
  }
  const text = Buffer.from(JSON.stringify(written))
  return new Map<string, Uint8Array>([
    ...data,
    [`${folder}/${moment}/manifest.json`, text],
    [`${folder}/${moment}/manifest.checksum`, Buffer.from(`${md5(text)}\n`)],
  ])
}

/** A bucket that holds these files. */
export const bucketOf = (files: ReadonlyMap<string, Uint8Array>) => ({
  objects: objectsOf([...files].map(([key, { length }]) => ({ key, size: length, modified: 0 }))),
  files,
})

export const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')

/** The value of a row in each column, in the form of Parquet. */
const cells: Record<string, { name: string; type: BasicType; of: (row: InventoryRowMade) => unknown }> = {
  Bucket: { name: 'bucket', type: 'STRING', of: () => 'media' },
  Key: { name: 'key', type: 'STRING', of: ({ key }) => key },
  VersionId: { name: 'version_id', type: 'STRING', of: () => 'null' },
  IsLatest: { name: 'is_latest', type: 'BOOLEAN', of: ({ isLatest = true }) => isLatest },
  IsDeleteMarker: { name: 'is_delete_marker', type: 'BOOLEAN', of: ({ isDeleteMarker = false }) => isDeleteMarker },
  Size: { name: 'size', type: 'INT64', of: ({ size, isDeleteMarker }) => (isDeleteMarker ? null : BigInt(size)) },
  LastModifiedDate: {
    name: 'last_modified_date',
    type: 'TIMESTAMP',
    of: ({ modified }) => new Date(modified * 1_000),
  },
  ETag: { name: 'e_tag', type: 'STRING', of: ({ etag = '' }) => etag },
  StorageClass: { name: 'storage_class', type: 'STRING', of: ({ storageClass = '' }) => storageClass },
  ObjectOwner: { name: 'object_owner', type: 'STRING', of: ({ owner = '' }) => owner },
}

function csvOf(rows: readonly InventoryRowMade[], columns: readonly string[]): Uint8Array {
  const textOf = (column: string, row: InventoryRowMade): string => {
    const value = cells[column]?.of(row)
    if (column === 'Key') return keyIn(row.key, true)
    return value instanceof Date ? value.toISOString() : String(value ?? '')
  }
  const lines = rows.map((row) => columns.map((column) => `"${textOf(column, row)}"`).join(','))
  return gzipSync(`${lines.join('\n')}\n`)
}

function parquetOf(rows: readonly InventoryRowMade[], columns: readonly string[]): Uint8Array {
  const columnData = columns.map((column) => {
    const { name, type, of } = cells[column] as (typeof cells)[string]
    return { name, type, data: rows.map(of) as unknown[], nullable: true }
  })
  return new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize: 2_000 }))
}

const schemaOf = (columns: readonly string[]): string =>
  `message s3.inventory {  ${columns.map((column) => `optional binary ${cells[column]?.name} (STRING);`).join('  ')}}`
