import { monthsBefore } from '#events/contract/days.ts'
import { costOf, priceOfSome, type StoragePrice } from '#events/price-books.ts'
import type { Totals } from '#events/search/calls.ts'
import type { DetailedVolume } from '#events/storages.ts'
import { groupOfType } from '#events/sources/kinds.ts'
import { duplicateRule, reclaimableRule, reclaimableWords } from '#client/parts/duplicates/duplicateWords.ts'
import { estimateText } from '#client/parts/cost/costWords.ts'
import { counted } from '#client/ui/text/count.ts'
import { moneyText } from '#events/money.ts'
import { perInterval } from '#client/ui/text/money.ts'
import { type SizeBase, sizeWords } from '#client/ui/text/size.ts'

/** Months without access, after which files count as cold. */
const coldMonths = [3, 6, 12]

/** Smaller savings are not shown. */
const minSaving = 0.01

/** A search in a storage, with the texts for its result. */
export type Question = {
  key: string
  filters: { lastAccessBefore: string } | { onlyDuplicates: 'true' }
  /** Text after the amount: ` not accessed for 6 months`. */
  phrase: string
  /** Text if nothing is found. */
  none: string
  /** Action that saves the cost, as the start of a sentence. */
  advice: string
  /** Explanation of the terms. */
  rule?: string
}

/** Searches for a storage. Only file storages have access times, unless they don't record them. */
export function questionsOf(volume: Pick<DetailedVolume, 'type' | 'indexingDate' | 'accessTimes'>): Question[] {
  const cold = coldMonths.map((months) => ({
    key: `cold ${months}`,
    filters: { lastAccessBefore: monthsBefore(volume.indexingDate, months) },
    phrase: `not accessed for ${months} months`,
    none: `Every file was accessed within ${months} months.`,
    advice: 'Archiving them',
  }))
  const duplicates: Question = {
    key: 'duplicates',
    filters: { onlyDuplicates: 'true' },
    phrase: 'with duplicates',
    none: 'No file has duplicates.',
    advice: 'Keeping one copy of each',
    rule: `${duplicateRule} ${reclaimableRule}`,
  }
  return [...(groupOfType(volume.type) === 'file' && volume.accessTimes === 'recorded' ? cold : []), duplicates]
}

/** Query parameters of the search. */
export const searchOf = ({ filters }: Question, { id }: Pick<DetailedVolume, 'id'>) => ({
  volumeId: [String(id)],
  ...filters,
})

/** Result of a search, as a sentence. */
export type Insight = {
  question: Question
  found: Totals
  /** `142 TiB in 1,204 files` */
  amount: string
  /** `50 TiB reclaimable`, for duplicates only. */
  reclaimable: string | undefined
  /** Share of the size of all files, 0 to 1. */
  share: number
  /** Cost of the files; for duplicates, of all copies but one. Undefined if negligible. */
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
    saving: storagePrice === null ? undefined : savingOf(billedBytes(found), storagePrice),
  }
}

/** Bytes that costs are for: of all copies but one if these are duplicates. */
const billedBytes = ({ size, billedSize = size, reclaimable, billedReclaimable = reclaimable }: Totals): number =>
  billedReclaimable ?? billedSize

/** An average, since the storage classes of the files are unknown. */
function savingOf(bytes: number, storagePrice: StoragePrice): string | undefined {
  const { price, isEstimate } = priceOfSome(storagePrice)
  const monthly = costOf(bytes, price)
  if (monthly <= minSaving) return undefined
  return `${estimateText(moneyText(monthly, storagePrice.currencySymbol), isEstimate)} ${perInterval.Monthly}`
}
