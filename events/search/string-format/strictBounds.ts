import { isSizeField } from '#events/search/query.ts'
import { daysBefore, isDay } from '#events/contract/days.ts'
import { isMediaNumber } from '#events/media/names.ts'
import { relativeDay, relativeParts } from '#events/search/relativeDays.ts'
import { readSize, sizeWords } from './values.ts'

/*
 * Bounds of searches include their value, except for `before`. Strict ones, such as `>`, are converted: numbers are whole, and
 * dates are days. Measurements of media files have up to three decimals.
 */

/** Operators that users write, and their words. */
export const strictWords = { over: 'is more than', under: 'is less than' } as const
const ofNumbers = { '>': 'over', '<': 'under', [strictWords.over]: 'over', [strictWords.under]: 'under' }
const ofDates = { '>': 'afterDay', '<=': 'untilDay', 'is after': 'afterDay' }

/** Spellings of strict operators, with their names in `inclusive`. */
export const strictSpellings = (type: 'number' | 'date'): Record<string, string> =>
  type === 'number' ? ofNumbers : ofDates

type Bound = { operator: string; value: string }

/** The bound without a strict operator; undefined if nothing can match it, or if it can't be written as a day. */
export function inclusive(field: string, { operator, value }: Bound): Bound | undefined {
  switch (operator) {
    case 'over':
      return { operator: 'min', value: moved(field, value, 1) }
    case 'under':
      return numberOf(field, value) > 0 ? { operator: 'max', value: moved(field, value, -1) } : undefined
    case 'afterDay':
    case 'untilDay': {
      const day = dayAfter(value)
      return day === undefined ? undefined : { operator: operator === 'afterDay' ? 'after' : 'before', value: day }
    }
    default:
      return { operator, value }
  }
}

const numberOf = (field: string, text: string): number => (isSizeField(field) ? (readSize(text) ?? 0) : Number(text))
const moved = (field: string, text: string, by: number): string => {
  const number = Math.min(numberOf(field, text) + by, Number.MAX_SAFE_INTEGER)
  if (isMediaNumber(field)) return String(Math.max(Number((Number(text) + by / 1000).toFixed(3)), 0))
  return isSizeField(field) ? `${number} B` : String(number)
}

/** The next day. Months and years before a snapshot have none that stays relative. */
function dayAfter(text: string): string | undefined {
  const parts = relativeParts(text)
  if (!parts) {
    const next = daysBefore(text, -1)
    return isDay(next) ? next : undefined
  }
  const days = parts.unit === 'd' ? parts.count : parts.unit === 'w' ? parts.count * 7 : 0
  return days > 0 ? relativeDay(days - 1, 'd') : undefined
}

/** Words for a bound of a measurement that is a thousandth off a whole number: `is more than 3600`. */
export function strictMeasurement(operator: string, value: number): string | undefined {
  const name = operator === 'min' ? 'over' : operator === 'max' ? 'under' : undefined
  const by = name === 'over' ? 0.001 : -0.001
  const bound = Math.round(value - by)
  return name && Number((bound + by).toFixed(3)) === value ? `${strictWords[name]} ${bound}` : undefined
}

/** Words for a bound of a size that is one byte off a round size: `is more than 10 GiB`. */
export function strictSize(operator: string, bytes: number): string | undefined {
  const name = operator === 'min' ? 'over' : operator === 'max' ? 'under' : undefined
  // Larger sizes are limited to the largest safe integer, which is next to a round size by chance.
  if (name === undefined || bytes === Number.MAX_SAFE_INTEGER) return undefined
  const round = sizeWords(name === 'over' ? bytes - 1 : bytes + 1)
  const isRound = !round.endsWith(' B') && sizeWords(bytes).endsWith(' B')
  return isRound ? `${strictWords[name]} ${round}` : undefined
}
