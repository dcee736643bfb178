import { MultiSelect, NativeSelect } from '@mantine/core'
import { sizeUnits } from '#events/search/filters.ts'
import { useLicence } from '#client/app/shell/useLicence.ts'
import { archiveChoices, archiveRule } from '#client/parts/archived/archivedWords.ts'
import { duplicateRule } from '#client/parts/duplicates/duplicateWords.ts'
import { unitLabel } from '#client/ui/form/typedSize.ts'
import { useSizeBase } from '#client/ui/values/sizeBase.state.ts'
import type { FilterForm } from './filterForm.ts'
import { filterLabels, paramOf, sizeBaseOf } from './filterNames.ts'
import { TextFilter } from './TextFilter.tsx'
import classes from './FilterCard.module.css'

const counts = {
  minimumNumberOfFiles: 'Minimum files',
  maximumNumberOfFiles: 'Maximum files',
  minimumNumberOfFolders: 'Minimum folders',
  maximumNumberOfFolders: 'Maximum folders',
} as const
const countNames = Object.keys(counts) as (keyof typeof counts)[]

export function MeasureFields({ form }: { form: FilterForm }) {
  return (
    <>
      <SizeField form={form} name="minimumSize" unit="minimumSizeUnit" />
      <SizeField form={form} name="maximumSize" unit="maximumSizeUnit" />
      {countNames.map((name) => (
        <TextFilter key={name} form={form} name={name} label={counts[name]} isNumber />
      ))}
      <FlagField form={form} name="onlyDuplicates" />
      <FlagField form={form} name="showOnlyDeletedFiles" />
      <ArchiveFilter form={form} />
    </>
  )
}

type SizeFieldProps =
  | { form: FilterForm; name: 'minimumSize'; unit: 'minimumSizeUnit' }
  | { form: FilterForm; name: 'maximumSize'; unit: 'maximumSizeUnit' }

/** Sizes of another base than this browser's come from a URL, and keep it. */
function SizeField({ form, name, unit }: SizeFieldProps) {
  const base = sizeBaseOf(form.params, useSizeBase())
  const also = { sizeBase: base === '10' ? ['10'] : [] }
  return (
    <div className={classes.withUnit}>
      <TextFilter form={form} name={name} isNumber also={also} />
      <NativeSelect
        label="Unit"
        aria-label={filterLabels[unit]}
        data={sizeUnits.map((value) => ({ value, label: unitLabel(value, base) }))}
        value={paramOf(form.params, unit).toUpperCase() || 'B'}
        onChange={({ currentTarget }) => form.set({ ...also, [unit]: [currentTarget.value] })}
        error={form.errors[unit]}
      />
    </div>
  )
}

function FlagField({ form, name }: { form: FilterForm; name: 'onlyDuplicates' | 'showOnlyDeletedFiles' }) {
  return (
    <NativeSelect
      label={filterLabels[name]}
      title={name === 'onlyDuplicates' ? duplicateRule : undefined}
      data={[
        { value: '', label: 'Any' },
        { value: 'true', label: 'Yes' },
        { value: 'false', label: 'No' },
      ]}
      value={paramOf(form.params, name)}
      onChange={({ currentTarget }) => form.set({ [name]: [currentTarget.value] })}
      error={form.errors[name]}
    />
  )
}

/** Archive states of files. Offered with the license, or if already set. */
function ArchiveFilter({ form }: { form: FilterForm }) {
  const isLicensed = useLicence()
  const chosen = [...(form.params.archived ?? [])]
  if (!isLicensed('archiwareP5') && chosen.length === 0) return null
  return (
    <MultiSelect
      label={filterLabels.archived}
      title={archiveRule}
      placeholder={chosen.length === 0 ? 'Any' : undefined}
      data={archiveChoices}
      value={chosen}
      onChange={(archived) => form.set({ archived })}
      clearable
      clearButtonProps={{ 'aria-label': 'Choose no archive state' }}
      error={form.errors.archived}
    />
  )
}
