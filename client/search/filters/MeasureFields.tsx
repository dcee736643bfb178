import { MultiSelect, NativeSelect } from '@mantine/core'
import { archiveChoices, archiveRule } from '#client/parts/archived/archivedWords.ts'
import { useHasArchives } from '#client/parts/archived/useHasArchives.ts'
import { duplicateRule } from '#client/parts/duplicates/duplicateWords.ts'
import type { FieldsProps, FilterForm } from './filterForm.ts'
import { filterLabels, paramOf } from './filterNames.ts'
import { SizeFilter } from './SizeFilter.tsx'
import { TextFilter } from './TextFilter.tsx'

const counts = {
  minimumNumberOfFiles: 'Minimum files',
  maximumNumberOfFiles: 'Maximum files',
  minimumNumberOfFolders: 'Minimum folders',
  maximumNumberOfFolders: 'Maximum folders',
} as const
const countNames = Object.keys(counts) as (keyof typeof counts)[]

export function MeasureFields({ form, hasMore }: FieldsProps) {
  return (
    <>
      <SizeFilter form={form} label="Size" />
      <FlagField form={form} name="onlyDuplicates" />
      <ArchiveFilter form={form} />
      {hasMore && (
        <>
          <SizeFilter form={form} label="Size on disk" />
          <FlagField form={form} name="showOnlyDeletedFiles" />
          <CountFields form={form} />
        </>
      )}
    </>
  )
}

/** Only folders have counts, so a list of files offers them only if they are set. */
function CountFields({ form }: { form: FilterForm }) {
  const isSet = countNames.some((name) => paramOf(form.params, name) !== '')
  if (!form.isOfFolders && !isSet) return null
  return countNames.map((name) => <TextFilter key={name} form={form} name={name} label={counts[name]} isNumber />)
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

/** Archive states of files. Offered if files can have one, or if already set. */
function ArchiveFilter({ form }: { form: FilterForm }) {
  const hasArchives = useHasArchives(form.volumes)
  const chosen = [...(form.params.archived ?? [])]
  if (!hasArchives && chosen.length === 0) return null
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
