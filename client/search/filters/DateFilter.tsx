import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { wordOf } from '#events/entries/fields.ts'
import { type DateField, filterRanges } from '#events/search/filterRanges.ts'
import { countedUnit, relativeDay, relativeParts, type RelativeUnit } from '#events/search/relativeDays.ts'
import { daysAreIn } from '#client/ui/text/timeZone.ts'
import { SearchDayInput } from '#client/parts/search-day/SearchDayInput.tsx'
import type { FilterForm } from './filterForm.ts'
import { filterLabels, paramOf } from './filterNames.ts'
import classes from './FilterCard.module.css'

const spans: readonly (readonly [count: number, unit: RelativeUnit])[] = [
  [7, 'd'],
  [30, 'd'],
  [3, 'M'],
  [6, 'M'],
  [1, 'y'],
]
const olderSpans: typeof spans = [...spans.slice(1), [2, 'y'], [5, 'y']]

const custom = 'custom'
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
  const bounds = { after: paramOf(form.params, after), before: paramOf(form.params, before) }
  const [isCustom, setCustom] = useState(false)
  const chosen = chosenOption(bounds)
  const shown = isCustom || chosen === custom ? custom : (chosen?.value ?? '')
  const isPreset = presets.some(({ value }) => value === shown)
  const choose = (value: string) => {
    setCustom(value === custom)
    if (value === custom) return
    const [bound, day = ''] = value.split(' ')
    form.set({ [after]: [bound === 'after' ? day : ''], [before]: [bound === 'before' ? day : ''] })
  }
  return (
    <>
      <NativeSelect
        label={wordOf(field)}
        title={daysAreIn}
        {...(field === 'lastAccess' && { description: 'A later change counts as an access' })}
        data={[
          { value: '', label: 'Any time' },
          ...presets,
          // A relative day of an address.
          ...(typeof chosen === 'object' && !isPreset && shown !== custom ? [chosen] : []),
          { value: custom, label: 'Custom' },
        ]}
        value={shown}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      {shown === custom && (
        <div className={classes.wide}>
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
        </div>
      )}
    </>
  )
}

/** The preset of bounds, `custom` for others, and undefined without any. */
function chosenOption({ after, before }: { after: string; before: string }) {
  if (after === '' && before === '') return undefined
  if (after !== '' && before !== '') return custom
  const day = after || before
  return relativeParts(day) ? option(after === '' ? 'before' : 'after', day) : custom
}
