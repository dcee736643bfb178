import {
  criteriaCsv,
  criteriaSpreadsheet,
  filesCsv,
  filesSpreadsheet,
  foldersCsv,
  foldersSpreadsheet,
} from '#events/exports.ts'
import type { Searched } from '#events/searched.ts'
import { download } from '../app/call.ts'
import { saveFile } from '../app/saveFile.ts'
import { toast } from '../app/toasts.ts'
import type { Sort } from '../ui/column.ts'
import type { ListKind } from './listKind.ts'

export type FileKind = 'csv' | 'xlsx'
const byFilters = {
  csv: { files: filesCsv, folders: foldersCsv },
  xlsx: { files: filesSpreadsheet, folders: foldersSpreadsheet },
}
const byCriteria = { csv: criteriaCsv, xlsx: criteriaSpreadsheet }

/** What is searched for on a day, and in which order. */
type Asked = { searched: Searched; indexingDate: string | undefined; sort: Sort }

/** Fetches all results as a file and hands it to the browser to be saved. */
export async function downloadResults(list: ListKind, kind: FileKind, asked: Asked): Promise<void> {
  toast(
    {
      kind: 'info',
      message: 'The request was received from the agent, It could take a couple of minutes to get the file.',
    },
    5_000,
  )
  saveFile(await fetchResults(list, kind, asked))
  toast({ kind: 'success', message: `${kind.toUpperCase()} file downloaded successfully` })
}

function fetchResults(list: ListKind, kind: FileKind, { searched, indexingDate, sort }: Asked) {
  const ordered = { indexingDate, sort: sort.field, direction: sort.direction }
  if ('filters' in searched) return download(byFilters[kind][list], { query: { ...searched.filters, ...ordered } })
  const isDirectory = list === 'folders' ? 'true' : 'false'
  return download(byCriteria[kind], { query: { ...ordered, isDirectory }, body: searched.criteria })
}
