import type { Call } from '#events/endpoint.ts'
import { filesCsv, filesSpreadsheet, foldersCsv, foldersSpreadsheet } from '#events/exports.ts'
import { download } from '../app/call.ts'
import { saveFile } from '../app/saveFile.ts'
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
  saveFile(await download(calls[kind][list], { query }))
  toast({ kind: 'success', message: `${kind.toUpperCase()} file downloaded successfully` })
}
