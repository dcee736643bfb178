import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import * as zlib from 'node:zlib'
import { ImportFormat } from '#events/imports/formats.ts'
import { guessExport } from '#events/imports/guess.ts'
import type { commitImport, getImport, ImportRecord, startImport } from '#events/imports/imports.ts'
import { type Context, requestOf, type ShortForm } from '../context.ts'
import { exitCodes, Failure, UsageError } from '../failures.ts'
import { own } from '../options.ts'
import { readPlace } from '../places.ts'

const pollMs = 500
/** Maximum bytes of the first part of a file, by which its format is guessed: a block of zstd may have half of them. */
const startLength = 256 * 1024
const maxShownLines = 10
const columns = ['id', 'date', 'format', 'state', 'files', 'folders', 'bytes', 'unreadable', 'reason'] as const

/** Imports exports of other tools as snapshots of past days. */
const importExports: ShortForm = {
  name: 'import',
  words: 'STORAGE DATE FILE...',
  summary: 'Imports exports of other tools as the snapshots of past days. Follow each date with its file.',
  examples: [
    'import films 2025-06-01 export.json.gz',
    'import films 2025-06-01 june.json 2025-07-01 july.json',
    'import films 2025-06-01 list.csv --columns path=0,size=3 --check',
  ],
  options: [
    {
      ...own('format', 'Format of the files. Default: recognized by their start.', 'text'),
      choices: ImportFormat.options,
    },
    own(
      'root',
      'Folder of the export that is the root of the storage. Default: the one that contains everything.',
      'text',
    ),
    own('printf', 'Format of find -printf.', 'text'),
    own('unit', 'Bytes of the unit of du: 1 with -b, 512 on some systems. Default: 1024.', 'number'),
    own('columns', 'Columns of a CSV, the first is 0: path=0,size=3.', 'text'),
    own('replace', 'Replaces the snapshot that a day has.'),
    own('check', 'Reads the files without committing them. Commit or remove them at Settings > Data.'),
  ],
  async run(context) {
    const [storage = '', ...words] = context.words
    if (words.length % 2 !== 0) throw new UsageError('Follow each date with its file.')
    const { volumeId } = await readPlace(context, storage)
    const rows: ImportRecord[] = []
    for (let at = 0; at < words.length; at += 2)
      rows.push(await importFile(context, volumeId, words[at] as string, words[at + 1] as string))
    if (rows.some(({ state }) => state === 'FAILED')) process.exitCode = exitCodes.jobFailed
    await context.write(
      rows.map(({ counts, unreadableLines, ...row }) => ({ ...row, ...counts, unreadable: unreadableLines.count })),
      columns,
    )
  },
}

async function importFile(context: Context, storageId: number, date: string, file: string): Promise<ImportRecord> {
  const format = ImportFormat.safeParse(context.text('format') ?? (await formatOf(file)))
  if (!format.success)
    throw new UsageError(
      `The format of ${file} is not known. Add --format with one of ${ImportFormat.options.join(', ')}.`,
    )
  const query = {
    storageId,
    date,
    format: format.data,
    fileName: basename(file).slice(0, 255),
    ...Object.fromEntries(['root', 'printf', 'unit', 'columns'].map((name) => [name, context.text(name)])),
  }
  const started = requestOf('POST /v1/imports' satisfies `${typeof startImport.method} ${typeof startImport.path}`, {
    query,
  })
  const { id } = (await (await context.request({ ...started, file })).json()) as { id: number }
  const read = await waitFor(context, id, 'READING')
  for (const { line, reason } of read.unreadableLines.lines.slice(0, maxShownLines))
    context.note(`${file}: line ${line} ${reason}`)
  if (read.state !== 'READY' || context.flag('check')) return read
  const params = { id }
  const replace = context.flag('replace') ? 'true' : 'false'
  await context.call<typeof commitImport>('PUT /v1/imports/:id/commit', { params, query: { replace } })
  return waitFor(context, id, 'COMMITTING')
}

async function waitFor(context: Context, id: number, state: ImportRecord['state']): Promise<ImportRecord> {
  for (;;) {
    const record = await context.retry(() => context.call<typeof getImport>('GET /v1/imports/:id', { params: { id } }))
    if (record.state !== state) return record
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

/** Format of a file by its start, also if it is packed. */
async function formatOf(file: string): Promise<string | undefined> {
  if (!(await stat(file).catch(() => undefined))?.isFile())
    throw new Failure(`There is no file ${file}.`, exitCodes.notFound)
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(startLength), 0, startLength)
    const start = unpacked(buffer.subarray(0, bytesRead))
    const isWide = start[1] === 0 || start.subarray(0, 2).equals(Buffer.from([0xff, 0xfe]))
    return guessExport(basename(file), start.subarray(0, 16_384).toString(isWide ? 'utf16le' : 'utf8')).format
  } finally {
    await handle.close()
  }
}

/** The start of a packed file, as far as the bytes at hand have it. */
function unpacked(start: Buffer): Buffer {
  if (start[0] === 0x1f && start[1] === 0x8b)
    return zlib.gunzipSync(start, { finishFlush: zlib.constants.Z_SYNC_FLUSH })
  const isZstd = start.subarray(0, 4).equals(Buffer.from([0x28, 0xb5, 0x2f, 0xfd]))
  // Older versions of Node have no zstd. The format has to be chosen there.
  const unpack = isZstd ? (zlib as Partial<typeof zlib>).zstdDecompressSync : undefined
  return unpack?.(start, { finishFlush: zlib.constants.ZSTD_e_flush }) ?? start
}

export const importForms: readonly ShortForm[] = [importExports]
