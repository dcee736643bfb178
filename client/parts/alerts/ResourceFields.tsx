import { MultiSelect, NativeSelect } from '@mantine/core'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import type { AlertFormState } from './alertForm.ts'
import type { AlertResources } from './alertResources.ts'
import { alertTexts } from './alertWords.ts'

type ResourceFieldsProps = { form: AlertFormState; resources: AlertResources; busy: boolean }

/** The storages, projects or reports to watch: all of them, or selected ones. */
export function ResourceFields({ form, resources, busy }: ResourceFieldsProps) {
  const { jobClass, watches } = form.values
  const { all, chosen } = alertTexts[jobClass]
  return (
    <>
      <NativeSelect
        label="Applies to"
        data={[
          { value: 'ALL', label: all },
          { value: 'CHOSEN', label: chosen },
        ]}
        disabled={busy}
        {...form.getInputProps('watches')}
      />
      {watches === 'CHOSEN' && <Resources key={jobClass} form={form} resources={resources} busy={busy} />}
    </>
  )
}

function Resources({ form, resources, busy }: ResourceFieldsProps) {
  const { jobClass, resourceIds } = form.values
  const { data, error, retry } = resources[jobClass]
  const { label, none } = alertTexts[jobClass]
  if (error && !data) return <Failure error={error} retry={retry} />
  const known = (data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const gone = resourceIds.filter((id) => known.every(({ value }) => value !== id))
  return (
    <MultiSelect
      label={label}
      placeholder={resourceIds.length === 0 ? 'Choose at least one' : undefined}
      data={[...known, ...gone.map((value) => ({ value, label: `Invalid (${value})` }))]}
      searchable
      openOnFocus={false}
      comboboxProps={{ withinPortal: false }}
      nothingFoundMessage={none}
      disabled={busy}
      {...form.getInputProps('resourceIds')}
    />
  )
}
