import type { Input } from '#events/contract/endpoint.ts'
import {
  type Project,
  projectAges,
  type ProjectAge,
  type ProjectItem,
  type projects,
  type ProjectShare,
} from '#events/projects/calls.ts'
import { today } from '#server/platform/days.ts'
import { fileName, type TableSheet, writeWorkbook } from '#server/platform/files/workbook.ts'
import { type Download, inOnePiece } from '#server/platform/http/download.ts'
import type { Scope } from '#server/platform/callers/scope.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { costOfClasses, type StoragePrice } from '#events/price-books.ts'
import { readProject } from '#server/work/projects/readProject.ts'

type Query = Input<typeof projects.report>['query']

/** A project on a date as a spreadsheet: its totals, or its folders. Throws 404. */
export async function projectReport(
  db: Db,
  scope: Scope,
  id: number,
  { indexingDate, type }: Query,
): Promise<Download> {
  const project = await readProject(db, scope, id, indexingDate)
  const book = await writeWorkbook(type === 'OVERVIEW' ? overviewOf(project) : [foldersOf(project)])
  const date = project.indexingDate ?? indexingDate ?? today()
  return { name: fileName(project.name, `-${date}.xlsx`), ...inOnePiece(book) }
}

const overviewOf = (project: Project): TableSheet[] => [summaryOf(project), storagesOf(project), agesOf(project)]

const summaryOf = (project: Project): TableSheet => ({
  title: 'Project',
  columns: [
    { head: 'Name', kind: 'text', width: 30 },
    { head: 'Description', kind: 'text', width: 40 },
    { head: 'Indexing date', kind: 'day', width: 14 },
    bytes('Size (bytes)'),
    bytes('Allocated size (bytes)'),
    { head: 'Used (%)', kind: 'share', width: 10 },
    count('Files'),
    count('Folders'),
    moment('Last access'),
    moment('Last modified'),
    { head: 'Note', kind: 'text', width: 40 },
  ],
  rows: [
    [
      project.name,
      project.description,
      project.indexingDate,
      project.sizeOfFiles,
      project.allocatedSize,
      project.sizeOfFiles / project.allocatedSize,
      project.numberOfFiles,
      project.numberOfFolders,
      dateOf(project.lastAccessDate),
      dateOf(project.lastModifiedDate),
      project.loadingReport ? 'Some folders are still being counted' : null,
    ],
  ],
})

const storagesOf = ({ projectShares, sizeOfFiles }: Project): TableSheet => ({
  title: 'Storages',
  columns: [
    { head: 'Storage', kind: 'text', width: 30 },
    { head: 'Type', kind: 'text', width: 16 },
    bytes('Size (bytes)'),
    count('Files'),
    { head: 'Share of the project (%)', kind: 'share', width: 22 },
    ...duplicateColumns,
    { head: 'Price per GiB per year', kind: 'money', width: 20 },
    { head: 'Cost per month', kind: 'money', width: 16 },
    { head: 'Cost per year', kind: 'money', width: 16 },
    { head: 'Currency', kind: 'text', width: 10 },
  ],
  rows: projectShares.map((share) => {
    const { volumeName, type, storagePrice } = share
    return [
      volumeName,
      type,
      share.sizeOfFiles,
      share.numberOfFiles,
      sizeOfFiles === 0 ? 0 : share.sizeOfFiles / sizeOfFiles,
      ...duplicatesOf(share),
      storagePrice && averagePrice(share, storagePrice),
      storagePrice && { amount: costOfClasses(share, storagePrice), symbol: storagePrice.currencySymbol },
      storagePrice && { amount: costOfClasses(share, storagePrice, 'Yearly'), symbol: storagePrice.currencySymbol },
      storagePrice?.currencySymbol ?? null,
    ]
  }),
})

/**
 * The price of a GB of these bytes for a year: if storage classes have different prices, the average over the project's
 * classes.
 */
const averagePrice = (share: ProjectShare, prices: StoragePrice): number =>
  share.sizeOfFiles === 0 ? prices.price : costOfClasses(share, prices, 'Yearly') / (share.sizeOfFiles / 2 ** 30)

/** Ages of files, youngest first: '1 month' is older than '1 week'. */
function agesOf({ projectShares }: Project): TableSheet {
  const added = (of: 'MODIFIED_DATE' | 'ACCESS_DATE', age: ProjectAge) => {
    const counted = projectShares.flatMap(({ statistics }) => statistics[of][age] ?? [])
    return [
      counted.reduce((all, { sizeOfFiles }) => all + sizeOfFiles, 0),
      counted.reduce((all, { numberOfFiles }) => all + numberOfFiles, 0),
    ]
  }
  return {
    title: 'Ages',
    columns: [
      { head: 'Age', kind: 'text', width: 12 },
      bytes('By last modified (bytes)'),
      count('By last modified (files)'),
      bytes('By last access (bytes)'),
      count('By last access (files)'),
    ],
    rows: projectAges.map((age) => [age, ...added('MODIFIED_DATE', age), ...added('ACCESS_DATE', age)]),
  }
}

const foldersOf = ({ projectShares }: Project): TableSheet => ({
  title: 'Folders',
  columns: [
    { head: 'Storage', kind: 'text', width: 30 },
    { head: 'Path', kind: 'text', width: 80 },
    bytes('Size (bytes)'),
    count('Files'),
    ...duplicateColumns,
    bytes('Unused for 6 months (bytes)'),
    bytes('Unused for 1 year (bytes)'),
    moment('Last access'),
    moment('Last modified'),
    { head: 'Note', kind: 'text', width: 40 },
  ],
  rows: projectShares.flatMap(({ projectItems }) =>
    projectItems.map((item) => [
      item.volumeName,
      item.fullPath,
      item.sizeOfFiles,
      item.numberOfFiles,
      ...duplicatesOf(item),
      unusedFor(item, ['1 year', 'older']),
      unusedFor(item, ['older']),
      dateOf(item.lastAccessDate),
      dateOf(item.lastModifiedDate),
      noteOf(item),
    ]),
  ),
})

/** Bytes of the files last accessed at one of these ages. */
const unusedFor = ({ statistics }: ProjectItem, ages: ProjectAge[]): number =>
  ages.reduce((all, age) => all + (statistics.ACCESS_DATE[age]?.sizeOfFiles ?? 0), 0)

function noteOf({ isGone, isNested, movedTo, path, pathOnDate }: ProjectItem): string | null {
  if (isGone && movedTo) return `Does not exist on this date; probably moved to ${movedTo.fullPath}`
  if (isGone) return 'Does not exist on this date'
  if (pathOnDate !== path) return `Was ${pathOnDate} on this date`
  return isNested ? 'Included in another folder of this project' : null
}

const bytes = (head: string) => ({ head, kind: 'number' as const, width: 24 })
const count = (head: string) => ({ head, kind: 'number' as const, width: 14 })
const moment = (head: string) => ({ head, kind: 'moment' as const, width: 20 })
const duplicateColumns = [bytes('Duplicates (bytes)'), count('Duplicates (files)'), bytes('Reclaimable (bytes)')]
const duplicatesOf = ({ statistics: { DUPLICATE } }: Pick<ProjectShare, 'statistics'>) => [
  DUPLICATE?.duplicate.sizeOfFiles ?? null,
  DUPLICATE?.duplicate.numberOfFiles ?? null,
  DUPLICATE?.reclaimable.sizeOfFiles ?? null,
]
const dateOf = (moment: string | null): Date | null => (moment === null ? null : new Date(moment))
