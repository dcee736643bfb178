import type { Call } from '#events/endpoint.ts'
import { filesCsv, filesSpreadsheet, foldersCsv, foldersSpreadsheet } from '#events/exports.ts'
import { download } from '../app/call.ts'
import { toast } from '../app/toasts.ts'
import type { ListKind } from './listKind.ts'

export type FileKind = 'csv' | 'xlsx'
const calls = {
  csv: { files: filesCsv, folders: foldersCsv },
  xlsx: { files: filesSpreadsheet, folders: foldersSpreadsheet },
}

/** Fetches all results as a file and hands it to the browser to be saved. */
export async function downloadResults(
  list: ListKind,
  kind: FileKind,
  query: NonNullable<Call<typeof filesCsv>['query']>,
): Promise<void> {
  toast(
    {
      kind: 'info',
      message: 'The request was received from the agent, It could take a couple of minutes to get the file.',
    },
    5_000,
  )
  const { name, file } = await download(calls[kind][list], { query })
  save(name, file)
  toast({ kind: 'success', message: `${kind.toUpperCase()} file downloaded successfully` })
}

function save(name: string, file: Blob) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
