import { monthsBefore } from '#events/contract/days.ts'
import type { FileTotals, Project, ProjectAge, ProjectShare } from '#events/projects/calls.ts'
import { SearchFilters } from '#events/search/filters.ts'
import type { SearchParams } from '#client/parts/statistics/statistics.ts'
import {
  duplicateRule,
  foldersReclaimableRule,
  reclaimableRule,
  reclaimableText,
} from '#client/parts/duplicates/duplicateWords.ts'
import { amountsText, costsOf } from '#client/projects/costs.ts'
import { counted } from '#client/ui/text/count.ts'
import { perInterval } from '#client/ui/text/money.ts'
import { type SizeBase, sizeWords } from '#client/ui/text/size.ts'
import { knowsAccess, searchedFolders, searchIn } from './projectSearch.ts'

/** Smaller savings are not shown. */
const minSaving = 0.01

/** A finding about a project: text, search for its files, and monthly cost. */
export type Insight = {
  key: string
  /** `142 TiB in 1,204 files`; undefined for none. */
  amount: string | undefined
  bytes: number
  /** Text after the amount, or instead of it if undefined. */
  phrase: string
  /** Share of all files by size, 0 to 1. */
  share: number
  search: SearchParams
  /** `50 TiB reclaimable`, or at least that; for duplicates only. */
  reclaimable?: string
  /** True if the savings are a lower bound. */
  isLeast: boolean
  /** Cost of the files; for duplicates, of the reclaimable part. Undefined if negligible. */
  saving: string | undefined
  /** Action that saves it, as the start of a sentence. */
  advice: string
  /** Explanation of the text. */
  rule?: string
}

type Question = Pick<Insight, 'key' | 'rule'> & {
  shares: ProjectShare[]
  filters: SearchParams
  found: (share: ProjectShare) => FileTotals
  /** Part that could be saved, if not all of it. `isLeast` means that it is a lower bound. */
  saved?: (share: ProjectShare) => FileTotals
  isLeast?: boolean
  phrase: string
  none: string
}

/** Search for the duplicates of a project whose copies may be in different folders; undefined with a single folder. */
export function searchOfCopies({ projectShares }: Project): SearchFilters | undefined {
  const folders = searchedFolders(projectShares)
  return folders.length > 1 ? SearchFilters.parse(searchIn(folders, { onlyDuplicates: 'true' })) : undefined
}

/**
 * Duplicates and cold data of a project. For storages without access times, the date of last change is used. The
 * figures of folders count copies in each folder; `reclaimable` is that of the whole project in bytes, once known. Users with limits get
 * no duplicates.
 */
export function insightsOf(project: Project, base: SizeBase, reclaimable?: number): Insight[] {
  const { projectShares, indexingDate } = project
  const shares = projectShares.filter(({ isDeleted }) => !isDeleted)
  const isLeast = searchedFolders(shares).length > 1
  const reclaimableWords =
    reclaimable === undefined
      ? undefined
      : { reclaimable: reclaimableText(reclaimable, base), rule: `${duplicateRule} ${reclaimableRule}` }
  const duplicates: Question = {
    key: 'duplicates',
    shares,
    filters: { onlyDuplicates: 'true' },
    found: ({ statistics }) => statistics.DUPLICATE?.duplicate ?? noFiles,
    saved: ({ statistics }) => statistics.DUPLICATE?.reclaimable ?? noFiles,
    isLeast,
    phrase: 'with duplicates',
    none: 'No file has duplicates.',
    rule: `${duplicateRule} ${isLeast ? foldersReclaimableRule : reclaimableRule}`,
  }
  const cold = indexingDate === null ? [] : coldQuestions(shares, indexingDate)
  const others = cold.map((question) => insightOf(question, project, base))
  if (shares.some(({ statistics }) => !statistics.DUPLICATE)) return others
  const copies = insightOf(duplicates, project, base)
  return [{ ...copies, ...(copies.amount !== undefined && reclaimableWords) }, ...others]
}
const noFiles: FileTotals = { sizeOfFiles: 0, numberOfFiles: 0 }

/** Insights with the one about more months, which is a part of it, at `older`. */
export const withOlder = (insights: readonly Insight[]): (Insight & { older: Insight | undefined })[] =>
  insights
    .filter(({ key }) => !key.endsWith(' 12'))
    .map((insight) => ({
      ...insight,
      older: insights.find(
        ({ key, amount }) => key === insight.key.replace(/ 6$/, ' 12') && key !== insight.key && amount,
      ),
    }))

/** Ages that count as cold, and the months without access. */
const coldAges = [
  { months: 6, ages: ['1 year', 'older'] },
  { months: 12, ages: ['older'] },
] as const satisfies { months: number; ages: readonly ProjectAge[] }[]

function coldQuestions(shares: ProjectShare[], day: string): Question[] {
  const kinds = [
    { of: shares.filter(({ type }) => knowsAccess(type)), by: 'ACCESS_DATE', field: 'lastAccess', verb: 'accessed' },
    {
      of: shares.filter(({ type }) => !knowsAccess(type)),
      by: 'MODIFIED_DATE',
      field: 'lastModified',
      verb: 'modified',
    },
  ] as const
  return kinds.flatMap(({ of, by, field, verb }) =>
    of.length === 0
      ? []
      : coldAges.map(({ months, ages }) => ({
          key: `${verb} ${months}`,
          shares: of,
          filters: { [`${field}Before`]: monthsBefore(day, months) },
          found: ({ statistics }) => sumOf(ages.map((age) => statistics[by][age])),
          phrase: `not ${verb} for ${months} months`,
          none: `Every file was ${verb} within ${months} months.`,
        })),
  )
}

function sumOf(all: readonly (FileTotals | undefined)[]): FileTotals {
  const known = all.flatMap((one) => one ?? [])
  const classes = Map.groupBy(
    known.flatMap((one) => Object.entries(one.classes ?? {})),
    ([name]) => name,
  )
  return {
    sizeOfFiles: sum(known.map(({ sizeOfFiles }) => sizeOfFiles)),
    numberOfFiles: sum(known.map(({ numberOfFiles }) => numberOfFiles)),
    classes: Object.fromEntries([...classes].map(([name, held]) => [name, sum(held.map(([, bytes]) => bytes))])),
  }
}
const sum = (numbers: number[]): number => numbers.reduce((all, number) => all + number, 0)

function insightOf(question: Question, { sizeOfFiles }: Project, base: SizeBase): Insight {
  const { key, shares, filters, found, saved: savedOf, isLeast = false, phrase, none, rule } = question
  const all = sumOf(shares.map(found))
  const reclaimable = savedOf ? reclaimableOf(sumOf(shares.map(savedOf)).sizeOfFiles, isLeast, base) : undefined
  const costs = costsOf(shares, savedOf ?? found)
  const saved = new Map([...costs].filter(([, amount]) => amount > minSaving))
  const isNone = all.numberOfFiles === 0
  return {
    key,
    amount: isNone ? undefined : `${sizeWords(all.sizeOfFiles, base)} in ${counted(all.numberOfFiles, 'file')}`,
    bytes: all.sizeOfFiles,
    phrase: isNone ? none : phrase,
    share: sizeOfFiles > 0 ? all.sizeOfFiles / sizeOfFiles : 0,
    search: searchIn(searchedFolders(shares), filters),
    ...(reclaimable !== undefined && !isNone && { reclaimable }),
    isLeast,
    saving: saved.size > 0 ? `${amountsText(saved)} ${perInterval.Monthly}` : undefined,
    advice: savedOf ? 'Keeping one copy of each' : 'Archiving them',
    ...(rule !== undefined && !isNone && { rule }),
  }
}

/** A lower bound of zero is not shown. */
function reclaimableOf(bytes: number, isLeast: boolean, base: SizeBase): string | undefined {
  const text = reclaimableText(bytes, base)
  if (!isLeast) return text
  return bytes > 0 ? `at least ${text}` : undefined
}
