import { ActionIcon, Checkbox, NativeSelect } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { metadataPrefix } from '#events/media/names.ts'
import { useLicence } from '#client/app/shell/useLicence.ts'
import {
  type Condition,
  conditionOf,
  fieldTitles,
  operatorsOf,
  operatorTitles,
  titleOf,
  typeOf,
} from '#events/search/string-format/conditions.ts'
import { ConditionValue } from './ConditionValue.tsx'
import { Grip } from './Grip.tsx'
import { changedCondition } from './moves.ts'
import classes from './QueryBuilder.module.css'
import type { Builder } from './useBuilder.ts'

/** One condition: field, operator, value, and exclusion. */
export function ConditionEditor({ condition, builder }: { condition: Condition; builder: Builder }) {
  const { id, field, operator, excludes } = condition
  const isLicensed = useLicence()
  const operators = Object.keys(operatorsOf[typeOf(field)])
  const set = (changed: Condition, isTyped = false) =>
    builder.edit(changedCondition(builder.group, changed), isTyped ? { typing: id } : {})
  return (
    <div className={classes.condition}>
      {/* An open menu is rendered next to its grip, and would shift the following columns without this element. */}
      <div>
        <Grip builder={builder} id={id} name={`the condition of ${titleOf(field)}`} />
      </div>
      <NativeSelect
        aria-label="Field"
        data={fieldOptions(field, builder.metadata.fields, isLicensed('archiwareP5'))}
        value={field}
        onChange={({ currentTarget }) => set(conditionOf(condition, currentTarget.value))}
      />
      <NativeSelect
        aria-label="Operator"
        data={operators.map((value) => ({ value, label: operatorTitles[value] ?? value }))}
        value={operator}
        onChange={({ currentTarget }) => set({ ...condition, operator: currentTarget.value })}
      />
      <div>
        <ConditionValue condition={condition} volumes={builder.volumes} onChange={set} />
      </div>
      <Checkbox
        label="Exclude"
        checked={excludes}
        onChange={({ currentTarget }) => set({ ...condition, excludes: currentTarget.checked })}
      />
      <ActionIcon
        variant="subtle"
        aria-label={`Remove the condition of ${titleOf(field)}`}
        onClick={() => builder.remove(id)}
      >
        <IconX size={16} stroke={1.5} />
      </ActionIcon>
    </div>
  )
}

/** Built-in fields and metadata fields, always including the field of the condition. */
function fieldOptions(field: string, metadata: readonly string[], hasArchives: boolean) {
  const builtIn = Object.entries(fieldTitles)
    .map(([value, label]) => ({ value, label }))
    .filter(({ value }) => hasArchives || value !== 'archived' || value === field)
  const isOffered = Object.hasOwn(fieldTitles, field) || metadata.includes(field)
  const items = [...metadata, ...(isOffered ? [] : [field])].map((value) => ({
    value,
    label: titleOf(value).replace(metadataPrefix, ''),
  }))
  return items.length > 0 ? [...builtIn, { group: 'Metadata', items }] : builtIn
}
