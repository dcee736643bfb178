import { monthsBefore } from '#events/days.ts'
import { costOf } from '#events/price-books.ts'
import type { Totals } from '#events/search.ts'
import type { DetailedVolume } from '#events/storages.ts'
import { isFileStorage } from '../parts/storages/storageKind.ts'
import { counted } from '../ui/text/count.ts'
import { moneyText, perInterval } from '../ui/text/money.ts'
import { type SizeBase, sizeWords } from '../ui/text/size.ts'

/** For how many months files are not accessed before they count as cold. */
const coldMonths = [3, 6, 12]

/** Less than this is no saving. */
const leastSaving = 0.01

/** Something worth knowing of a storage: a search, and what is said of what it finds. */
export type Question = {
  key: string
  filters: { lastAccessBefore: string } | { onlyDuplicates: 'true' }
  /** What follows the amount: ` not accessed for 6 months`. */
  words: string
  /** What is said of nothing. */
  none: string
}

/** What is asked of a storage. Only file storages tell when a file was accessed. */
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
  }
  return [...(isFileStorage(volume.type) ? cold : []), duplicates]
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
  /** Of the size of all files, of 1. */
  share: number
  /** What these files cost; undefined where that is not worth a word. */
  saving: string | undefined
}

export function insightOf(
  question: Question,
  found: Totals,
  { sizeOfFiles, storagePrice }: Pick<DetailedVolume, 'sizeOfFiles' | 'storagePrice'>,
  base: SizeBase,
): Insight {
  const monthly = storagePrice === null ? 0 : costOf(found.size, storagePrice.price)
  return {
    question,
    found,
    amount: `${sizeWords(found.size, base)} in ${counted(found.count, 'file')}`,
    share: sizeOfFiles > 0 ? found.size / sizeOfFiles : 0,
    saving:
      storagePrice !== null && monthly > leastSaving
        ? `${moneyText(monthly, storagePrice.currencySymbol)} ${perInterval.Monthly}`
        : undefined,
  }
}
