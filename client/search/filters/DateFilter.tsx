import { wordOf } from '#events/entries/fields.ts'
import { type DateField, filterRanges } from '#events/search/filterRanges.ts'
import { countedUnit, relativeDay, relativeParts, type RelativeUnit } from '#events/search/relativeDays.ts'
import { daysAreIn } from '#client/ui/text/timeZone.ts'
import { SearchDayInput } from '#client/parts/search-day/SearchDayInput.tsx'
import type { FilterForm } from './filterForm.ts'
import { filterLabels, paramOf } from '#client/parts/searched/filterNames.ts'
import { custom, Presets } from './Presets.tsx'

const spans: readonly (readonly [count: number, unit: RelativeUnit])[] = [
  [7, 'd'],
  [30, 'd'],
  [3, 'M'],
  [6, 'M'],
  [1, 'y'],
]
const olderSpans: typeof spans = [...spans.slice(1), [2, 'y'], [5, 'y']]

const option = (bound: 'after' | 'before', day: string) => {
  const parts = relativeParts(day)
  const span = parts ? countedUnit(parts.count, parts.unit) : day
  return { value: `${bound} ${day}`, label: bound === 'after' ? `In the last ${span}` : `More than ${span} ago` }
}
const optionsOf = (bound: 'after' | 'before', list: typeof spans) =>
  list.map(([count, unit]) => option(bound, relativeDay(count, unit)))
const presets = [...optionsOf('after', spans), ...optionsOf('before', olderSpans)]

/** Range of a date: a preset before the snapshot, or bounds of the user. */
export function DateFilter({ form, field }: { form: FilterForm; field: DateField }) {
  const [after, before] = filterRanges[field]
  const chosen = chosenOption({ after: paramOf(form.params, after), before: paramOf(form.params, before) })
  // A relative day of an address.
  const others = typeof chosen === 'object' && !presets.some(({ value }) => value === chosen.value) ? [chosen] : []
  return (
    <Presets
      label={wordOf(field)}
      title={daysAreIn}
      {...(field === 'lastAccess' && { description: 'A later change counts as an access' })}
      options={[{ value: '', label: 'Any time' }, ...presets, ...others]}
      chosen={typeof chosen === 'object' ? chosen.value : (chosen ?? '')}
      onChoose={(value) => {
        const [bound, day = ''] = value.split(' ')
        form.set({ [after]: [bound === 'after' ? day : ''], [before]: [bound === 'before' ? day : ''] })
      }}
      close={form.close}
    >
      {[after, before].map((name) => (
        <SearchDayInput
          key={name}
          label={filterLabels[name]}
          isLabelShown
          value={paramOf(form.params, name)}
          onChange={(day) => form.set({ [name]: [day] })}
          error={form.errors[name]}
        />
      ))}
    </Presets>
  )
}

/** The preset of bounds, `custom` for others, and undefined without any. */
function chosenOption({ after, before }: { after: string; before: string }) {
  if (after === '' && before === '') return undefined
  if (after !== '' && before !== '') return custom
  const day = after || before
  return relativeParts(day) ? option(after === '' ? 'before' : 'after', day) : custom
}
