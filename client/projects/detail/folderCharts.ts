import { type ProjectAge, projectAges, type ProjectItem } from '#events/projects/calls.ts'
import { agesOn, type SearchParams } from '#client/parts/statistics/statistics.ts'
import { type ChartPart, withShares } from '#client/ui/charts/chartPart.ts'
import { counted } from '#client/ui/text/count.ts'
import { type SizeBase, sizeWords } from '#client/ui/text/size.ts'
import { searchIn } from './projectSearch.ts'

/** Date by which files are grouped. */
export type AgeField = 'MODIFIED_DATE' | 'ACCESS_DATE'

/** Bar chart of a folder, with the search of each bar. */
export type FolderChart = { title: string; parts: ChartPart[]; searches: Map<string, SearchParams> }

type Bar = { key: string; label: string; sizeOfFiles: number; numberOfFiles: number; search: SearchParams | undefined }

/** Duplicates and other files of a folder. */
export function duplicateChart(item: ProjectItem, base: SizeBase): FolderChart {
  const { sizeOfFiles = 0, numberOfFiles = 0 } = item.statistics.DUPLICATE?.duplicate ?? {}
  const others = {
    sizeOfFiles: Math.max(0, item.sizeOfFiles - sizeOfFiles),
    numberOfFiles: Math.max(0, item.numberOfFiles - numberOfFiles),
  }
  const bars = [
    { key: 'duplicates', label: 'With duplicates', sizeOfFiles, numberOfFiles, search: { onlyDuplicates: 'true' } },
    { key: 'others', label: 'Others', ...others, search: undefined },
  ]
  return chartOf('Duplicates', bars, item, base)
}

/** Files of a folder by age on a day. */
export function ageChart(item: ProjectItem, by: AgeField, day: string, base: SizeBase): FolderChart {
  const field = by === 'ACCESS_DATE' ? 'lastAccess' : 'lastModified'
  const bars = agesOfProject(day).map(({ key, label, after, before }): Bar => ({
    key,
    label,
    ...(item.statistics[by][key] ?? { sizeOfFiles: 0, numberOfFiles: 0 }),
    search: {
      ...(after !== undefined && { [`${field}After`]: after }),
      ...(before !== undefined && { [`${field}Before`]: before }),
    },
  }))
  return chartOf(by === 'ACCESS_DATE' ? 'Last access' : 'Last modified', bars, item, base)
}

/** Age ranges of projects on a day, youngest first. The last one has no start. */
function agesOfProject(day: string) {
  const ages = agesOn(day)
  return projectAges.map((key: ProjectAge, place) => {
    const { label = '', after, before } = ages[place] ?? {}
    return key === 'older' ? { key, label: 'Over 1 year', after: undefined, before } : { key, label, after, before }
  })
}

function chartOf(title: string, bars: Bar[], item: ProjectItem, base: SizeBase): FolderChart {
  const parts = bars.map(({ key, label, sizeOfFiles, numberOfFiles, search }): ChartPart => ({
    key,
    label,
    value: sizeOfFiles,
    text: sizeWords(sizeOfFiles, base),
    role: search ? 'category-1' : 'other',
    isPickable: search !== undefined && numberOfFiles > 0,
    cells: [sizeWords(sizeOfFiles, base), counted(numberOfFiles, 'file')],
  }))
  const searches = bars.flatMap(({ key, search }) => (search ? [[key, searchIn([item], search)] as const] : []))
  return { title, parts: withShares(parts), searches: new Map(searches) }
}
