import { MultiSelect } from '@mantine/core'
import { useLicence } from '#client/app/shell/useLicence.ts'
import { archiveChoices, archiveRule } from '#client/parts/archived/archivedWords.ts'
import type { FilterForm } from './filterForm.ts'
import { filterLabels } from './filterNames.ts'

/** Archive states of files. Offered with the license, or if already set. */
export function ArchiveFilter({ form }: { form: FilterForm }) {
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
