import type { Report } from '#events/reports/templates.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { linksAt } from '#client/app/links.ts'

export type FoundKind = 'files' | 'folders'

type SearchedReport = Pick<Report, 'reportTag' | 'indexingDate'>

/** Returns links to a search for the last results, in the snapshot of the run; undefined before the first run. */
export function useFoundSearch({ reportTag, indexingDate }: SearchedReport): ((kind: FoundKind) => string) | undefined {
  const { dates } = useActiveDate()
  if (reportTag === null) return undefined
  const isNewest = indexingDate === null || indexingDate === dates.data?.[0]?.indexingDate
  const links = linksAt(isNewest ? undefined : indexingDate)
  return (kind) => links.search({ report: reportTag, ...(kind === 'folders' && { activeTab: 1 }) })
}
