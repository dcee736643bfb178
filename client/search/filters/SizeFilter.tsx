import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { wordOf } from '#events/entries/fields.ts'
import { filterRanges, type RangeField, type SizeName, sizeNames, unitNameOf } from '#events/search/filterRanges.ts'
import { type SizeBase, sizeUnits, type SizeUnit, unitLabel } from '#events/search/filters.ts'
import { useSizeBase } from '#client/ui/values/sizeBase.state.ts'
import type { FilterForm } from './filterForm.ts'
import { filterLabels, paramOf, sizeBaseOf } from '#client/parts/searched/filterNames.ts'
import { TextFilter } from './TextFilter.tsx'
import { custom, Presets } from './Presets.tsx'
import classes from './Filters.module.css'

const sizes: readonly (readonly [size: number, unit: SizeUnit])[] = [
  [1, 'MB'],
  [100, 'MB'],
  [1, 'GB'],
  [10, 'GB'],
  [100, 'GB'],
  [1, 'TB'],
]
/** Unit of a size that has none yet. */
const defaultUnit: SizeUnit = 'MB'
const presetsIn = (base: SizeBase) => {
  const preset =
    (bound: 'min' | 'max', words: string) =>
    ([size, unit]: (typeof sizes)[number]) => ({
      value: `${bound} ${size} ${unit}`,
      label: `${words} ${size} ${unitLabel(unit, base)}`,
    })
  return [
    ...sizes.map(preset('min', 'At least')),
    ...sizes.slice(0, 3).map(preset('max', 'At most')),
    { value: 'max 0 B', label: 'Empty' },
  ]
}

type Range = (typeof filterRanges)[RangeField<'bytes'>]

/** Range of sizes: a preset, or bounds of the user. */
export function SizeFilter({ form, field }: { form: FilterForm; field: RangeField<'bytes'> }) {
  const range = filterRanges[field]
  const [min, max] = range
  const own = useSizeBase()
  const hasOther = sizeNames.some((name) => !range.includes(name as never) && paramOf(form.params, name) !== '')
  // Both kinds have one base.
  const base = hasOther ? sizeBaseOf(form.params, own) : own
  const choose = (value: string) => {
    const [bound, size = '', unit = ''] = value.split(' ')
    form.set({
      [min]: [bound === 'min' ? size : ''],
      [unitNameOf(min)]: [bound === 'min' ? unit : ''],
      [max]: [bound === 'max' ? size : ''],
      [unitNameOf(max)]: [bound === 'max' ? unit : ''],
      sizeBase: (value !== '' || hasOther) && base === '10' ? ['10'] : [],
    })
  }
  return (
    <Presets
      label={wordOf(field)}
      options={[{ value: '', label: 'Any size' }, ...presetsIn(base)]}
      chosen={chosenPreset(form, range)}
      onChoose={choose}
      close={form.close}
    >
      <SizeField form={form} name={min} />
      <SizeField form={form} name={max} />
    </Presets>
  )
}

function chosenPreset({ params }: FilterForm, [minName, maxName]: Range): string {
  const [min, max] = [paramOf(params, minName), paramOf(params, maxName)]
  if (min === '' && max === '') return ''
  const unit = (name: SizeName) => paramOf(params, unitNameOf(name)).toUpperCase() || 'B'
  const value = max === '' ? `min ${min} ${unit(minName)}` : `max ${max} ${unit(maxName)}`
  const isPreset = (min === '' || max === '') && presetsIn('2').some((preset) => preset.value === value)
  return isPreset ? value : custom
}

/** Sizes of another base than this browser's come from a URL, and keep it. A size without a unit is in bytes. */
function SizeField({ form, name }: { form: FilterForm; name: SizeName }) {
  const unit = unitNameOf(name)
  const base = sizeBaseOf(form.params, useSizeBase())
  const [next, setNext] = useState<string>(defaultUnit)
  const hasSize = paramOf(form.params, name) !== ''
  const shown = hasSize ? paramOf(form.params, unit).toUpperCase() || 'B' : next
  const also = { sizeBase: base === '10' ? ['10'] : [] }
  return (
    <div className={classes.withUnit}>
      <TextFilter form={form} name={name} isNumber also={{ ...also, [unit]: [shown] }} />
      <NativeSelect
        label="Unit"
        aria-label={filterLabels[unit]}
        data={sizeUnits.map((value) => ({ value, label: unitLabel(value, base) }))}
        value={shown}
        onChange={({ currentTarget }) => {
          setNext(currentTarget.value)
          if (hasSize) form.set({ ...also, [unit]: [currentTarget.value] })
        }}
        error={form.errors[unit]}
      />
    </div>
  )
}
