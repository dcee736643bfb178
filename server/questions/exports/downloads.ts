import type { Direction } from '#events/contract/page.ts'
import type { SearchSelection } from '#events/selections.ts'
import { configuredNumber } from '#server/access/configurations/index.ts'
import { sortBy } from '#server/content/entries/order.ts'
import { today } from '#server/platform/days.ts'
import type { Scope } from '#server/platform/callers/scope.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Download } from '#server/platform/http/download.ts'
import type { Platform } from '#server/platform/platform.ts'
import { selectBySearch } from '#server/questions/search/index.ts'
import { withPrices } from '#server/content/snapshots/reading/costUnits.ts'
import { snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'
import type { Kind } from './columns.ts'
import { exportCsv } from './exportCsv.ts'
import { exportSpreadsheet } from './exportSpreadsheet.ts'
import type { DownloadList } from './topRows.ts'
import { cachedUserLimits } from '#server/platform/limits/userLimits.ts'
import { Admission } from '#server/platform/limits/admission.ts'
import { workLimits } from '#server/platform/limits/workLimits.ts'

/** Source of a download: a search on a day, and the order of its list. */
type Query = {
  search: SearchSelection
  indexingDate?: string | undefined
  sort?: string | undefined
  direction?: Direction | undefined
}
type Make = (query: Query, by: Pick<Caller, 'scope' | 'signal'>) => Promise<Download>

/** Creates downloads, a few at a time. The snapshot is looked up when a download's turn has come. */
export function openDownloads(platform: Platform): { csv: Make; spreadsheet: Make } {
  const turn = openTurn(async () => (await cachedUserLimits(platform.db)).exportsPerUser)
  return {
    csv: (query, { scope, signal }) =>
      turn(async () => {
        const listed = await read(platform, scope, query)
        return { name: nameOf(query, listed, 'csv'), ...(await exportCsv(platform, kindOf(query), listed, signal)) }
      }, signal),
    spreadsheet: (query, { scope, signal }) =>
      // The response is sent while the rest is written, which is still part of the turn.
      new Promise((resolve, reject) => {
        const work = async () => {
          const listed = await read(platform, scope, query)
          const name = nameOf(query, listed, 'xlsx')
          await exportSpreadsheet(platform, kindOf(query), listed, signal, ({ bytes }) =>
            resolve({ name, body: bytes }),
          )
        }
        turn(work, signal).catch(reject)
      }),
  }
}

const kindOf = ({ search }: Query): Kind => (search.isDirectory ? 'folders' : 'files')

async function read(platform: Platform, scope: Scope, query: Query): Promise<DownloadList> {
  const { db } = platform
  const { sort: by = 'size', direction = query.sort ? 'asc' : 'desc' } = query
  const snapshot = await withPrices(db, await snapshotOrEmpty(db, scope, query.indexingDate), by)
  const selection = await selectBySearch(platform, snapshot, query.search)
  const maxRows = await configuredNumber(db, 'maxNumberOfFilesCsv')
  return { selection, sort: sortBy(by, snapshot), direction, maxRows }
}

function nameOf(query: Query, { selection: { snapshot } }: DownloadList, ending: string): string {
  const date = snapshot.indexingDate || query.indexingDate || today()
  return `search${query.search.isDirectory ? 'Folder' : 'File'}Result-${date}.${ending}`
}

/** Few downloads are created at a time, because each takes a large part of the machine. */
type Turn = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>

/**
 * Downloads wait in order for this many milliseconds; then the client gets an error and may try again later. More are created
 * at a time than two users may have, so neither delays all others.
 */
export function openTurn(ofUser: () => Promise<number>, timeoutMs: number = workLimits.searchFile.timeoutMs): Turn {
  const admission = new Admission('The server is stopping')
  return async (work, signal) => {
    const total = 2 * (await ofUser()) + 1
    return admission.take([{ ...workLimits.searchFile, total, timeoutMs }], work, { signal })
  }
}
