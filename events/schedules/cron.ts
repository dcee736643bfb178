type Field = {
  name: string
  min: number
  max: number
  /** Words that stand for numbers, the first one for `min`. */
  names?: readonly string[]
  /** Other forms of a part of the field; `N` stands for a number or a name of the field. */
  forms?: readonly RegExp[]
}

/** The fields of an expression in their order; the year may be left out. */
export const cronFields = [
  { name: 'seconds', min: 0, max: 59 },
  { name: 'minutes', min: 0, max: 59 },
  { name: 'hours', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31, forms: [/^L(?:-(?:[1-9]|[12]\d|30))?W?$/, /^(\d+)W$/] },
  {
    name: 'month',
    min: 1,
    max: 12,
    names: ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'],
  },
  {
    name: 'day of week',
    min: 1,
    max: 7,
    names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'],
    forms: [/^L$/, /^(\w+)L$/, /^(\w+)#[1-5]$/],
  },
  { name: 'year', min: 1970, max: 2099 },
] as const satisfies readonly Field[]

/** The fields of an expression as they are written, in capital letters. */
export const cronParts = (text: string): string[] => text.trim().toUpperCase().split(/\s+/)

/**
 * Fault in a cron expression, in words that follow the name of its field; undefined for a valid one. Seconds come first; days of the week
 * are 1 to 7 from Sunday on; one of the two days is `?`.
 */
export function cronProblem(text: string): string | undefined {
  const parts = cronParts(text)
  if (parts.length !== 6 && parts.length !== 7)
    return 'must have 6 or 7 fields: seconds, minutes, hours, day of month, month, day of week and, optionally, year'
  const [, , , dayOfMonth, , dayOfWeek] = parts
  for (const [i, part] of parts.entries()) {
    const field: Field | undefined = cronFields[i]
    const problem = field && fieldProblem(part, field)
    if (problem) return `has a wrong ${field.name}: ${problem}`
  }
  if (dayOfMonth !== '?' && dayOfWeek !== '?')
    return 'may set only one of day of month and day of week, the other must be ?'
  if (dayOfMonth === dayOfWeek) return 'must set one of day of month and day of week, only the other may be ?'
  return undefined
}

/**
 * Problem of an expression with several times in a minute, in words that follow the name of its field. Takes expressions that
 * `cronProblem` accepts. Schedules stored by earlier versions may have it; they run at the first of these times.
 */
export function frequencyProblem(text: string): string | undefined {
  const [seconds = ''] = cronParts(text)
  if (cronNumbers(seconds, cronFields[0]).length === 1) return undefined
  return 'may run at most once a minute: the seconds must be a single number, such as 0'
}

function fieldProblem(text: string, field: Field): string | undefined {
  if (text === '?') return field.forms ? undefined : '? may stand only for one of the two days'
  for (const part of text.split(',')) {
    const problem = isOtherForm(part, field) ? undefined : rangeProblem(part, field)
    if (problem) return problem
  }
  return undefined
}

function isOtherForm(part: string, field: Field): boolean {
  const found = field.forms?.map((form) => form.exec(part)).find((match) => match !== null)
  if (!found) return false
  return found[1] === undefined || cronNumber(found[1], field) !== undefined
}

/** A star, a number or a range, any of them with a step. */
const rangeForm = /^(\*|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/

function rangeProblem(part: string, field: Field): string | undefined {
  const { min, max, names } = field
  const [whole, , first, last, step] = rangeForm.exec(part) ?? []
  if (whole === undefined) return part === '' ? 'a value is missing next to a comma' : `${part} cannot be read`
  for (const word of [first, last]) {
    if (word === undefined || cronNumber(word, field) !== undefined) continue
    return `${word} is not ${names ? `one of ${names.join(', ')} or a number` : 'a number'} from ${min} to ${max}`
  }
  const [from, to] = boundsOf(part, field)
  if (from > to && !repeats(field)) return `${part} must go from the lower to the higher`
  if (step !== undefined && (Number(step) < 1 || Number(step) > max)) return `the step ${step} is not from 1 to ${max}`
  return undefined
}

/** Everything but the year repeats, so a range may wrap: `FRI-MON`, `22-2`. */
const repeats = ({ name }: Field): boolean => name !== 'year'

/** The number of a number or name of a field; undefined if it has no such number. */
export function cronNumber(word: string, { min, max, names }: Field): number | undefined {
  const named = names?.indexOf(word) ?? -1
  const number = named >= 0 ? named + min : /^\d{1,4}$/.test(word) ? Number(word) : -1
  return number >= min && number <= max ? number : undefined
}

function boundsOf(part: string, field: Field): [from: number, to: number] {
  const [, range, first, last, step] = rangeForm.exec(part) ?? []
  if (range === '*') return [field.min, field.max]
  const from = cronNumber(first ?? '', field) ?? field.min
  if (last !== undefined) return [from, cronNumber(last, field) ?? field.max]
  return [from, step === undefined ? from : field.max]
}

/** The numbers that a field of stars, numbers, ranges and steps names, ascending. */
export function cronNumbers(text: string, field: Field): number[] {
  const named = new Set<number>()
  for (const part of text.split(',')) {
    const [from, to] = boundsOf(part, field)
    const step = Number(part.split('/')[1] ?? 1)
    const size = field.max - field.min + 1
    const last = to < from ? to + size : to
    for (let number = from; number <= last; number += step) named.add(number > field.max ? number - size : number)
  }
  return [...named].sort((a, b) => a - b)
}
