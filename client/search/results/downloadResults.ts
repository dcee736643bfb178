import {
  criteriaCsv,
  criteriaSpreadsheet,
  filesCsv,
  filesSpreadsheet,
  foldersCsv,
  foldersSpreadsheet,
} from '#events/search/exports.ts'
import type { SearchInput } from '#events/search/searched.ts'
import type { TimeQuery } from '#client/app/activeDate.ts'
import { download } from '#client/app/call.ts'
import { saveFile } from '#client/app/saveFile.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import type { Sort } from '#client/ui/table/column.ts'
import type { ListKind } from '#client/parts/searched/searchAddress.ts'

export type FileKind = 'csv' | 'xlsx'
const byFilters = {
  csv: { files: filesCsv, folders: foldersCsv },
  xlsx: { files: filesSpreadsheet, folders: foldersSpreadsheet },
}
const byCriteria = { csv: criteriaCsv, xlsx: criteriaSpreadsheet }

/** Query, time and sort order. */
type DownloadOptions = { searched: SearchInput; at: TimeQuery; sort: Sort }

/** Downloads all results as a file. */
export async function downloadResults(list: ListKind, kind: FileKind, options: DownloadOptions): Promise<void> {
  toast(
    {
      kind: 'info',
      message: 'The request was received from the agent, It could take a couple of minutes to get the file.',
    },
    5_000,
  )
  saveFile(await fetchResults(list, kind, options))
  toast({ kind: 'success', message: `${kind.toUpperCase()} file downloaded successfully` })
}

function fetchResults(list: ListKind, kind: FileKind, { searched, at, sort }: DownloadOptions) {
  const ordered = { ...at, sort: sort.field, direction: sort.direction }
  if ('filters' in searched) return download(byFilters[kind][list], { query: { ...searched.filters, ...ordered } })
  const isDirectory = list === 'folders' ? 'true' : 'false'
  return download(byCriteria[kind], { query: { ...ordered, isDirectory }, body: searched.criteria })
}
