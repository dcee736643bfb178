import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { type SizeBase, sizeUnits, type SizeUnit, unitLabel } from '#events/search/filters.ts'
import { useSizeBase } from '#client/ui/values/sizeBase.state.ts'
import type { FilterForm } from './filterForm.ts'
import { filterLabels, paramOf, sizeBaseOf } from './filterNames.ts'
import { TextFilter } from './TextFilter.tsx'
import classes from './FilterCard.module.css'

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
const custom = 'custom'
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

/** Range of sizes: a preset, or bounds of the user. */
export function SizeFilter({ form }: { form: FilterForm }) {
  const [isCustom, setCustom] = useState(false)
  const base = useSizeBase()
  const chosen = chosenPreset(form)
  const shown = isCustom ? custom : chosen
  const choose = (value: string) => {
    setCustom(value === custom)
    if (value === custom) return
    const [bound, size = '', unit = ''] = value.split(' ')
    form.set({
      minimumSize: [bound === 'min' ? size : ''],
      minimumSizeUnit: [bound === 'min' ? unit : ''],
      maximumSize: [bound === 'max' ? size : ''],
      maximumSizeUnit: [bound === 'max' ? unit : ''],
      sizeBase: value !== '' && base === '10' ? ['10'] : [],
    })
  }
  return (
    <>
      <NativeSelect
        label="Size"
        data={[{ value: '', label: 'Any size' }, ...presetsIn(base), { value: custom, label: 'Custom' }]}
        value={shown}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      {shown === custom && (
        <div className={classes.wide}>
          <SizeField form={form} name="minimumSize" unit="minimumSizeUnit" />
          <SizeField form={form} name="maximumSize" unit="maximumSizeUnit" />
        </div>
      )}
    </>
  )
}

function chosenPreset({ params }: FilterForm): string {
  const [min, max] = [paramOf(params, 'minimumSize'), paramOf(params, 'maximumSize')]
  if (min === '' && max === '') return ''
  const unit = (name: 'minimumSizeUnit' | 'maximumSizeUnit') => paramOf(params, name).toUpperCase() || 'B'
  const value = max === '' ? `min ${min} ${unit('minimumSizeUnit')}` : `max ${max} ${unit('maximumSizeUnit')}`
  const isPreset = (min === '' || max === '') && presetsIn('2').some((preset) => preset.value === value)
  return isPreset ? value : custom
}

type SizeFieldProps =
  | { form: FilterForm; name: 'minimumSize'; unit: 'minimumSizeUnit' }
  | { form: FilterForm; name: 'maximumSize'; unit: 'maximumSizeUnit' }

/** Sizes of another base than this browser's come from a URL, and keep it. A size without a unit is in bytes. */
function SizeField({ form, name, unit }: SizeFieldProps) {
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
