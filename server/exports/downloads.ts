import type { Direction } from '#events/page.ts'
import type { Searched } from '#events/searched.ts'
import { configuredNumber } from '#server/configurations/index.ts'
import { sortBy } from '#server/entries/index.ts'
import { today } from '#server/platform/days.ts'
import type { Download } from '#server/platform/download.ts'
import type { Platform } from '#server/platform/platform.ts'
import { meantBySearch } from '#server/search/index.ts'
import { shownOn } from '#server/snapshots/index.ts'
import type { Kind } from './columns.ts'
import { exportCsv } from './exportCsv.ts'
import { exportSpreadsheet } from './exportSpreadsheet.ts'
import type { Listed } from './foremost.ts'
import { openTurn } from './turn.ts'

/** What a download is of: a search on a day, and the order of its list. */
type Asked = {
  searched: Searched
  indexingDate?: string | undefined
  sort?: string | undefined
  direction?: Direction | undefined
}
type Make = (kind: Kind, asked: Asked, gone: AbortSignal) => Promise<Download>

/** Makes downloads, one at a time. What a list shows is looked up when its turn has come. */
export function openDownloads(platform: Platform): { csv: Make; spreadsheet: Make } {
  const turn = openTurn()
  return {
    csv: (kind, asked, gone) =>
      turn(async () => {
        const listed = await read(platform, kind, asked)
        return { name: nameOf(kind, asked, listed, 'csv'), ...(await exportCsv(platform, kind, listed, gone)) }
      }, gone),
    spreadsheet: (kind, asked, gone) =>
      // It is answered while the rest of it is written, which still belongs to the turn.
      new Promise((resolve, reject) => {
        const work = async () => {
          const listed = await read(platform, kind, asked)
          const name = nameOf(kind, asked, listed, 'xlsx')
          await exportSpreadsheet(platform, kind, listed, gone, ({ bytes }) => resolve({ name, body: bytes }))
        }
        turn(work, gone).catch(reject)
      }),
  }
}

async function read(platform: Platform, kind: Kind, asked: Asked): Promise<Listed> {
  const { db } = platform
  const snapshot = await shownOn(db, asked.indexingDate)
  const { sort = 'size', direction = asked.sort ? 'asc' : 'desc' } = asked
  const meant = await meantBySearch(platform, snapshot, asked.searched, kind)
  const most = await configuredNumber(db, 'maxNumberOfFilesCsv')
  return { meant, sort: sortBy(sort, snapshot), direction, most }
}

function nameOf(kind: Kind, asked: Asked, { meant: { snapshot } }: Listed, ending: string): string {
  const date = snapshot.indexingDate || asked.indexingDate || today()
  return `search${kind === 'files' ? 'File' : 'Folder'}Result-${date}.${ending}`
}
