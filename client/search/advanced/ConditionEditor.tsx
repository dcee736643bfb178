import { ActionIcon, Checkbox, MultiSelect, NativeSelect, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { Volume } from '#events/snapshots.ts'
import { type Condition, fieldTitles, operatorsOf, titleOf, typeOf } from './draft.ts'
import { readValue } from './criteriaText.ts'
import classes from './Advanced.module.css'

type ConditionEditorProps = {
  condition: Condition
  volumes: readonly Volume[]
  onChange: (condition: Condition, isTyped: boolean) => void
  onRemove: () => void
}

/** One line: a field, what is asked of it, and whether what meets it is left out. */
export function ConditionEditor({ condition, volumes, onChange, onRemove }: ConditionEditorProps) {
  const { field, operator, excludes } = condition
  const operators = operatorsOf[typeOf(field)]
  const titled = Object.hasOwn(fieldTitles, field) ? fieldTitles : { ...fieldTitles, [field]: field }
  const chooseField = (field: string) => {
    const [first = 'value'] = Object.keys(operatorsOf[typeOf(field)])
    onChange({ ...condition, field, operator: first, value: typeOf(field) === 'boolean' ? 'true' : '' }, false)
  }
  return (
    <div className={classes.condition}>
      <NativeSelect
        aria-label="Field"
        data={Object.entries(titled).map(([value, label]) => ({ value, label }))}
        value={field}
        onChange={({ currentTarget }) => chooseField(currentTarget.value)}
      />
      <NativeSelect
        aria-label="Operator"
        data={Object.entries(operators).map(([value, label]) => ({ value, label }))}
        value={operator}
        onChange={({ currentTarget }) => onChange({ ...condition, operator: currentTarget.value }, false)}
      />
      <ConditionValue condition={condition} volumes={volumes} onChange={onChange} />
      <Checkbox
        label="Exclude"
        checked={excludes}
        onChange={({ currentTarget }) => onChange({ ...condition, excludes: currentTarget.checked }, false)}
      />
      <ActionIcon variant="subtle" aria-label={`Remove the condition of ${titleOf(field)}`} onClick={onRemove}>
        <IconX size={16} stroke={1.5} />
      </ActionIcon>
    </div>
  )
}

function ConditionValue({ condition, volumes, onChange }: Omit<ConditionEditorProps, 'onRemove'>) {
  const { field, value } = condition
  const type = typeOf(field)
  const set = (value: string, isTyped = false) => onChange({ ...condition, value }, isTyped)
  if (type === 'boolean') {
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
  }
  if (type === 'list') return <StorageValue value={value} volumes={volumes} onChange={set} />
  return (
    <TextInput
      aria-label="Value"
      placeholder={placeholders[field] ?? placeholders[type]}
      value={value}
      error={value.trim() !== '' && readValue(condition) === undefined && 'Cannot be read'}
      onChange={({ currentTarget }) => set(currentTarget.value, true)}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && set(currentTarget.value)}
    />
  )
}

const placeholders: Record<string, string> = { size: '10 GB', date: 'yyyy-MM-dd', long: '0', integer: '1' }

type StorageValueProps = { value: string; volumes: readonly Volume[]; onChange: (value: string) => void }

function StorageValue({ value, volumes, onChange }: StorageValueProps) {
  const chosen = value.split(',').flatMap((id) => id.trim() || [])
  const known = volumes.map(({ id, name }) => ({ value: String(id), label: name }))
  const gone = chosen.filter((id) => !known.some(({ value }) => value === id))
  return (
    <MultiSelect
      aria-label="Value"
      data={[...known, ...gone.map((value) => ({ value, label: `Invalid (${value})` }))]}
      value={chosen}
      onChange={(ids) => onChange(ids.join(', '))}
      error={gone.length > 0 && volumes.length > 0 && 'Invalid'}
    />
  )
}
