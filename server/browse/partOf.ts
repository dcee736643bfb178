import type { PartOfFolder, partOfFolder } from '#events/browse.ts'
import type { Input } from '#events/endpoint.ts'
import type { SummaryPage } from '#events/entries.ts'
import { orderOf, readPage, summaryColumns, type SummaryRecord, type Usual } from '#server/entries/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import { sql } from '#server/platform/sql.ts'
import { childrenIn, shownIn } from './childrenIn.ts'
import { meantIn } from './meantIn.ts'
import { summariesIn } from './summariesIn.ts'

type Asked = Input<typeof partOfFolder>['query']

/** A page of the folders, or of the files, directly in a folder, as rows show them; throws 400 beyond the window. */
export async function partOf(
  { db, clickhouse }: Pick<Platform, 'db' | 'clickhouse'>,
  part: PartOfFolder,
  asked: Asked,
  usual: Usual,
): Promise<SummaryPage> {
  const { path, showHiddenDirectories } = asked
  const isShown = shownIn(path, part === 'files' || showHiddenDirectories)
  const meant = await meantIn(db, asked, sql`${childrenIn(path, part)} AND ${isShown}`)
  const { snapshot } = meant
  const { sort, direction } = orderOf(asked, usual, snapshot)
  const reading = readPage<SummaryRecord>(clickhouse, meant, summaryColumns, sort, { ...asked, direction })
  const { elements, about } = await summariesIn(clickhouse, snapshot, asked, reading)
  return { elements, ...about, indexingDate: snapshot.indexingDate || null }
}
