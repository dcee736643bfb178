import { DateInput } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import dayjs from 'dayjs'
import customParseFormat from 'dayjs/plugin/customParseFormat.js'
import type { FilterForm } from './filterForm.ts'
import { filterLabels, wordOf } from './filterNames.ts'

// Days are typed as they are shown.
dayjs.extend(customParseFormat)

const names = [
  'creationAfter',
  'creationBefore',
  'lastAccessAfter',
  'lastAccessBefore',
  'lastModifiedAfter',
  'lastModifiedBefore',
  'backupAfter',
  'backupBefore',
] as const

/** Days from which on, and before which. Of backups only archives know. */
export function DateFields({ form }: { form: FilterForm }) {
  return names.map((name) => (
    <DateInput
      key={name}
      label={filterLabels[name]}
      value={wordOf(form.words, name) || null}
      onChange={(day) => form.set({ [name]: [day ?? ''] })}
      valueFormat="YYYY-MM-DD"
      placeholder="yyyy-MM-dd"
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${filterLabels[name]}` }}
      weekendDays={[]}
      hideOutsideDates
      popoverProps={{ withinPortal: false }}
      previousLabel="Previous month"
      nextLabel="Next month"
      error={form.refused[name]}
    />
  ))
}
