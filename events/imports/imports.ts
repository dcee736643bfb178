import { z } from 'zod'
import { Day } from '#events/contract/days.ts'
import { Id, IdNumber, endpoint } from '#events/contract/endpoint.ts'
import { writtenInt } from '#events/contract/numbers.ts'
import { ImportFormat } from './formats.ts'

/** `READING` and `COMMITTING` end without a person; `READY` waits for a person; `COMMITTED` is the snapshot of its day. */
const ImportState = z.enum(['READING', 'READY', 'COMMITTING', 'COMMITTED', 'FAILED'])

const Sums = z.object({ files: z.int(), folders: z.int(), bytes: z.number(), allocatedBytes: z.number().nullable() })

/** A reason why the total of an import differs from that of the newest scan, and how many bytes and files it explains. */
const Difference = z.object({
  reason: z.enum([
    'hardLinks',
    'apparentSize',
    'units',
    'excluded',
    'unreadable',
    'onlyHere',
    'onlyThere',
    'changed',
    'unexplained',
  ]),
  files: z.int(),
  bytes: z.number(),
})

/** Contents of an export; empty until it was read. */
const summary = {
  counts: Sums.nullable(),
  /** Fields that the export doesn't have, as users know them. */
  missing: z.array(z.string()),
  /** Of the first thousand. Line 0 stands for the whole file. */
  unreadableLines: z.object({ count: z.int(), lines: z.array(z.object({ line: z.int(), reason: z.string() })) }),
  /** With the newest scan of the storage; null without one. `total`: its bytes minus those of the scan. */
  comparison: z
    .object({ scannedOn: z.string(), scan: Sums, total: z.number(), differences: z.array(Difference) })
    .nullable(),
}
export type ImportSummary = z.infer<z.ZodObject<typeof summary>>

/** An export of another tool that becomes the snapshot of a day. */
export const ImportRecord = z.object({
  id: z.int(),
  storageId: z.int(),
  storageName: z.string(),
  date: z.string(),
  format: ImportFormat,
  fileName: z.string().nullable(),
  state: ImportState,
  /** The reason of a failure, with the line. */
  reason: z.string().nullable(),
  createdAt: z.string(),
  /** Bytes of the export read so far, as they came. */
  readBytes: z.number(),
  ...summary,
  /** True if the day has a snapshot of the storage, which a commit would replace. */
  replaces: z.boolean(),
})
export type ImportRecord = z.infer<typeof ImportRecord>

const failure = 'Unable to import the file'

/** The body is the export, plain or compressed by gzip or zstd. `columns` of a CSV: `path=0,size=3`, see the parser; `unit` of `du`: bytes of its unit. */
export const startImport = endpoint({
  method: 'POST',
  path: '/v1/imports',
  needs: 'settings.edit',
  isUpload: true,
  failure,
  query: z.object({
    storageId: IdNumber,
    date: Day,
    format: ImportFormat,
    fileName: z.string().max(255).optional(),
    root: z.string().max(4_096).optional(),
    printf: z.string().max(1_000).optional(),
    unit: writtenInt(1, 2 ** 20).optional(),
    columns: z.string().max(1_000).optional(),
  }),
  answer: z.object({ id: z.int() }),
})

export const listImports = endpoint({
  method: 'GET',
  path: '/v1/imports',
  needs: 'settings.edit',
  failure: 'Unable to fetch the imports',
  query: z.object({ storageId: IdNumber.optional() }),
  answer: z.array(ImportRecord),
})

export const getImport = endpoint({
  method: 'GET',
  path: '/v1/imports/:id',
  needs: 'settings.edit',
  failure: 'Unable to fetch the import',
  params: Id,
  answer: ImportRecord,
})

/** Makes it the snapshot of its day. If the day has one, 409 unless it is confirmed by `replace`. */
export const commitImport = endpoint({
  method: 'PUT',
  path: '/v1/imports/:id/commit',
  needs: 'settings.edit',
  failure: 'Unable to commit the import',
  params: Id,
  query: z.object({ replace: z.enum(['true', 'false']).default('false') }),
  answer: ImportRecord,
})

/** Removes an import, and the snapshot that it made. */
export const deleteImport = endpoint({
  method: 'DELETE',
  path: '/v1/imports/:id',
  needs: 'settings.edit',
  failure: 'Unable to remove the import',
  params: Id,
})
