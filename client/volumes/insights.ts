import { monthsBefore } from '#events/contract/days.ts'
import { costOf, priceOfSome, type StoragePrice } from '#events/price-books.ts'
import type { Totals } from '#events/search/calls.ts'
import type { DetailedVolume } from '#events/storages.ts'
import { groupOfType } from '#events/sources/kinds.ts'
import { duplicateRule, reclaimableRule, reclaimableWords } from '#client/parts/duplicates/duplicateWords.ts'
import { estimateText } from '#client/parts/cost/costWords.ts'
import { counted } from '#client/ui/text/count.ts'
import { moneyText, perInterval } from '#client/ui/text/money.ts'
import { type SizeBase, sizeWords } from '#client/ui/text/size.ts'

/** For how many months files are not accessed before they count as cold. */
const coldMonths = [3, 6, 12]

/** Less than this is no saving. */
const minSaving = 0.01

/** Something worth knowing of a storage: a search, and what is said of what it finds. */
export type Question = {
  key: string
  filters: { lastAccessBefore: string } | { onlyDuplicates: 'true' }
  /** What follows the amount: ` not accessed for 6 months`. */
  words: string
  /** What is said of nothing. */
  none: string
  /** What its words mean. */
  rule?: string
}

/** The questions about a storage. Only file storages know when a file was accessed. */
export function questionsOf(volume: Pick<DetailedVolume, 'type' | 'indexingDate'>): Question[] {
  const cold = coldMonths.map((months) => ({
    key: `cold ${months}`,
    filters: { lastAccessBefore: monthsBefore(volume.indexingDate, months) },
    words: `not accessed for ${months} months`,
    none: `Every file was accessed within ${months} months.`,
  }))
  const duplicates: Question = {
    key: 'duplicates',
    filters: { onlyDuplicates: 'true' },
    words: 'that have duplicates',
    none: 'No file has duplicates.',
    rule: `${duplicateRule} ${reclaimableRule}`,
  }
  return [...(groupOfType(volume.type) === 'file' ? cold : []), duplicates]
}

/** What a question is as a search of the storage, in the words of its address. */
export const searchOf = ({ filters }: Question, { id }: Pick<DetailedVolume, 'id'>) => ({
  volumeId: [String(id)],
  ...filters,
})

/** A sentence on what was found. */
export type Insight = {
  question: Question
  found: Totals
  /** `142 TiB in 1,204 files` */
  amount: string
  /** `50 TiB reclaimable`: of duplicates alone. */
  reclaimable: string | undefined
  /** Of the size of all files, of 1. */
  share: number
  /** What these files cost, of duplicates all copies but one; undefined where that is not worth a word. */
  saving: string | undefined
}

export function insightOf(
  question: Question,
  found: Totals,
  { sizeOfFiles, storagePrice }: Pick<DetailedVolume, 'sizeOfFiles' | 'storagePrice'>,
  base: SizeBase,
): Insight {
  return {
    question,
    found,
    amount: `${sizeWords(found.size, base)} in ${counted(found.count, 'file')}`,
    reclaimable: reclaimableWords(found, base),
    share: sizeOfFiles > 0 ? found.size / sizeOfFiles : 0,
    saving: storagePrice === null ? undefined : savingOf(found.reclaimable ?? found.size, storagePrice),
  }
}

/** Which storage classes the files have is not known. */
function savingOf(bytes: number, storagePrice: StoragePrice): string | undefined {
  const { price, isEstimate } = priceOfSome(storagePrice)
  const monthly = costOf(bytes, price)
  if (monthly <= minSaving) return undefined
  return `${estimateText(moneyText(monthly, storagePrice.currencySymbol), isEstimate)} ${perInterval.Monthly}`
}
