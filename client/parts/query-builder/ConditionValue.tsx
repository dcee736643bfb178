import { MultiSelect, NativeSelect, Pill, TextInput } from '@mantine/core'
import { useState } from 'react'
import { isSizeField } from '#events/search/query.ts'
import { bytesOf, type SizeUnit, sizeUnits } from '#events/search/filters.ts'
import type { Volume } from '#events/snapshots.ts'
import { archiveChoices, archiveRule } from '#client/parts/archived/archivedWords.ts'
import { type TypedSize, typedOfBytes, unitChoices } from '#client/ui/form/typedSize.ts'
import { useSizeBase } from '#client/ui/values/sizeBase.state.ts'
import { SearchDayInput } from '#client/parts/search-day/SearchDayInput.tsx'
import { type Condition, operatorTitles, typeOf } from '#events/search/string-format/conditions.ts'
import { readValue } from '#events/search/string-format/criteriaText.ts'
import classes from './QueryBuilder.module.css'
import { readSize, sizeParts, splitList } from '#events/search/string-format/values.ts'

type ConditionValueProps = {
  condition: Condition
  volumes: readonly Volume[]
  onChange: (condition: Condition, isTyped: boolean) => void
}

/** Input for the value of a condition, by type. */
export function ConditionValue({ condition, volumes, onChange }: ConditionValueProps) {
  const { field, operator, value } = condition
  const set = (value: string, isTyped = false) => onChange({ ...condition, value }, isTyped)
  switch (typeOf(field)) {
    case 'boolean':
      return (
        <NativeSelect
          aria-label="Value"
          data={[
            { value: 'true', label: 'Yes' },
            { value: 'false', label: 'No' },
          ]}
          value={value}
          onChange={({ currentTarget }) => set(currentTarget.value)}
        />
      )
    case 'list':
      return <StorageValue value={value} volumes={volumes} onChange={set} />
    case 'choice':
      return (
        <MultiSelect
          aria-label="Value"
          title={archiveRule}
          data={archiveChoices}
          value={splitList(value)}
          onChange={(states) => set(states.join(', '))}
        />
      )
    case 'date':
      return <SearchDayInput label={`Value: ${operatorTitles[operator]}`} value={value} onChange={(day) => set(day)} />
    default:
      return isSizeField(field) && operator !== 'values' ? (
        <SizeValue condition={condition} onChange={set} />
      ) : (
        <WrittenValue condition={condition} onChange={set} />
      )
  }
}

type WrittenValueProps = { condition: Condition; onChange: (value: string, isTyped?: boolean) => void }

function WrittenValue({ condition, onChange }: WrittenValueProps) {
  const { field, operator, value } = condition
  return (
    <TextInput
      aria-label="Value"
      placeholder={placeholderOf(field, operator)}
      value={value}
      error={value.trim() !== '' && readValue(condition) === undefined && errorOf(field, operator)}
      onChange={({ currentTarget }) => onChange(currentTarget.value, true)}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && onChange(currentTarget.value)}
    />
  )
}

/**
 * A number with a unit, which may be typed together. Conditions have units of 1,024, so decimal sizes are converted to bytes.
 */
function SizeValue({ condition, onChange }: WrittenValueProps) {
  const base = useSizeBase()
  const [entered, setEntered] = useState<TypedSize>()
  const written = base === '2' ? sizeParts(condition.value) : decimalParts(condition.value)
  const { number, unit } = entered && decimalText(entered) === condition.value ? entered : written
  const textOf = (size: TypedSize): string => {
    if (base === '2') return `${size.number} ${size.unit}`
    setEntered(size)
    return decimalText(size)
  }
  const typed = (text: string) => {
    const hasUnit = /\d\s*(B|[KMGTP]i?B)$/i.test(text.trim())
    return textOf(hasUnit ? sizeParts(text.trim()) : { number: text.trim(), unit })
  }
  return (
    <div className={classes.size}>
      <TextInput
        aria-label="Value"
        inputMode="decimal"
        placeholder="10"
        value={number}
        error={number.trim() !== '' && readValue(condition) === undefined && 'Must be a number of 0 or more'}
        onChange={({ currentTarget }) => onChange(typed(currentTarget.value), true)}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && onChange(typed(currentTarget.value))}
      />
      <NativeSelect
        aria-label="Unit"
        data={unitChoices(sizeUnits, base)}
        value={unit}
        onChange={({ currentTarget }) => onChange(textOf({ number, unit: currentTarget.value as SizeUnit }))}
      />
    </div>
  )
}

/** A decimal size as a condition has it: in bytes. Invalid text keeps its unit. */
function decimalText({ number, unit }: TypedSize): string {
  const isNumber = /^\d+(?:\.\d+)?$/.test(number)
  return isNumber ? `${bytesOf(Number(number), unit, '10')} B` : `${number} ${unit}`
}

/** The text of a condition in the largest decimal unit that gives a whole number. */
function decimalParts(text: string): TypedSize {
  const bytes = readSize(text.trim())
  return bytes === undefined ? sizeParts(text) : typedOfBytes(String(bytes), '10')
}

function placeholderOf(field: string, operator: string): string | undefined {
  const isList = operator === 'values'
  if (isSizeField(field)) return '1 KiB, 2 GiB'
  if (field === 'extension' && isList) return 'mov, mp4'
  if (typeOf(field) === 'string') return isList ? 'One, another' : undefined
  return isList ? '1, 2' : '0'
}

function errorOf(field: string, operator: string): string {
  if (isSizeField(field)) return 'Must be sizes of 0 or more, such as 1 KiB, 2 GiB'
  if (typeOf(field) === 'string') return 'Must be values separated by commas'
  return operator === 'values' ? 'Must be whole numbers of 0 or more' : 'Must be a whole number of 0 or more'
}

type StorageValueProps = { value: string; volumes: readonly Volume[]; onChange: (value: string) => void }

/** Storages. Deleted ones are red. */
function StorageValue({ value, volumes, onChange }: StorageValueProps) {
  const chosen = value.split(',').flatMap((id) => id.trim() || [])
  const known = volumes.map(({ id, name }) => ({ value: String(id), label: name }))
  const gone = volumes.length > 0 ? chosen.filter((id) => !known.some(({ value }) => value === id)) : []
  return (
    <MultiSelect
      aria-label="Value"
      data={[...known, ...gone.map((value) => ({ value, label: `Invalid (${value})` }))]}
      value={chosen}
      onChange={(ids) => onChange(ids.join(', '))}
      renderPill={({ option, value, onRemove }) => (
        <Pill
          withRemoveButton
          {...(onRemove && { onRemove })}
          {...(value !== undefined && gone.includes(value) && { className: 'critical' })}
        >
          {option?.label ?? value}
        </Pill>
      )}
      error={gone.length > 0 && 'Invalid'}
    />
  )
}
