import { MultiSelect, NativeSelect } from '@mantine/core'
import { countNames } from '#events/search/filterRanges.ts'
import { archiveChoices, archiveRule } from '#client/parts/archived/archivedWords.ts'
import { useHasArchives } from '#client/parts/archived/useHasArchives.ts'
import { duplicateRule } from '#client/parts/duplicates/duplicateWords.ts'
import type { FilterForm } from './filterForm.ts'
import { filterLabels, paramOf } from '#client/parts/searched/filterNames.ts'
import { SizeFilter } from './SizeFilter.tsx'
import { TextFilter } from './TextFilter.tsx'

export function MeasureFields({ form }: { form: FilterForm }) {
  return (
    <>
      <FlagField form={form} name="onlyDuplicates" />
      <ArchiveFilter form={form} />
      <SizeFilter form={form} field="allocatedSize" />
      <FlagField form={form} name="showOnlyDeletedFiles" />
      <CountFields form={form} />
    </>
  )
}

/** Only folders have counts, so a list of files offers them only if they are set. */
function CountFields({ form }: { form: FilterForm }) {
  const isSet = countNames.some((name) => paramOf(form.params, name) !== '')
  if (!form.isOfFolders && !isSet) return null
  return countNames.map((name) => (
    <TextFilter key={name} form={form} name={name} label={filterLabels[name].replace('number of ', '')} isNumber />
  ))
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
      // Part of the menu, which closes on a press outside of it.
      comboboxProps={{ withinPortal: false }}
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
