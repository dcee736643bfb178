import { MultiSelect } from '@mantine/core'
import { knownReports, knownTags } from '#events/tags.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import { reportText } from '#client/parts/searched/chipTexts.ts'
import type { FilterForm } from './filterForm.ts'
import { TextFilter } from './TextFilter.tsx'

export function PeopleFields({ form }: { form: FilterForm }) {
  const { indexingDate } = useActiveDate()
  const tags = useRemote(knownTags, { query: { indexingDate } }, 'tags', 'snapshots')
  const reports = useRemote(knownReports, { query: { indexingDate } }, 'tags', 'snapshots', 'reports')
  useFailureToast(tags.error)
  useFailureToast(reports.error)
  return (
    <>
      <TextFilter form={form} name="owner" placeholder="* and ? for any" />
      <Choices form={form} name="tags" label="Tags" word="tags" known={tags.data} />
      <TextFilter form={form} name="group" placeholder="* and ? for any" />
      <Choices form={form} name="reports" label="Reports" word="reports" known={reports.data} />
    </>
  )
}

type ChoicesProps = {
  form: FilterForm
  name: 'tags' | 'reports'
  label: string
  word: string
  known: readonly string[] | undefined
}

/** Existing values, and selected ones that no longer exist, so that they can be removed. */
function Choices({ form, name, label, word, known }: ChoicesProps) {
  const chosen = [...(form.params[name] ?? [])]
  const isEmpty = known?.length === 0
  return (
    <MultiSelect
      // Part of the menu, which closes on a press outside of it.
      comboboxProps={{ withinPortal: false }}
      label={label}
      description={isEmpty ? `No available ${word} for this current date` : undefined}
      data={[...new Set([...chosen, ...(known ?? [])])].map((value) => ({ value, label: reportText(value) }))}
      value={chosen}
      placeholder={chosen.length === 0 ? 'Any' : undefined}
      onChange={(params) => form.set({ [name]: params })}
      disabled={isEmpty && chosen.length === 0}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Choose no ${word}` }}
      nothingFoundMessage={`No available ${word} for this current date`}
      error={form.errors[name]}
    />
  )
}
