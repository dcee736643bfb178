import { daysBefore, isDay, monthsBefore } from '#events/contract/days.ts'
import { relativeDay } from '#events/search/relativeDays.ts'
import { type Condition, type Group, typeOf } from '#events/search/string-format/conditions.ts'

/** Days of a relative day have at most four digits. */
const maxDays = 9_999
const maxYears = 30

/** Conditions with fixed dates as the distance that a report with relative dates keeps to the day of each run. */
export const withRelativeDates = (group: Group, today: string): Group => ({
  ...group,
  conditions: group.conditions.map((condition) => relativeCondition(condition, today)),
  groups: group.groups.map((inner) => withRelativeDates(inner, today)),
})

function relativeCondition(condition: Condition, today: string): Condition {
  if (typeOf(condition.field) !== 'date' || !isDay(condition.value)) return condition
  return { ...condition, value: distance(condition.value, today) ?? condition.value }
}

/** In whole years or months if possible, otherwise in days. Undefined for days after today, and those too long ago. */
function distance(day: string, today: string): string | undefined {
  for (let months = 1; months <= maxYears * 12; months += 1)
    if (monthsBefore(today, months) === day)
      return months % 12 === 0 ? relativeDay(months / 12, 'y') : relativeDay(months, 'M')
  const days = (Date.parse(today) - Date.parse(day)) / 86_400_000
  return days >= 0 && days <= maxDays && daysBefore(today, days) === day ? relativeDay(days, 'd') : undefined
}
