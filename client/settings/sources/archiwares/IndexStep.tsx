import { Loader, NativeSelect, TextInput } from '@mantine/core'
import { CallError } from '#client/app/call.ts'
import { FoldedInputs } from '#client/parts/settings-table/FoldedInputs.tsx'
import { paceOfRequests } from '../pace/paceForm.ts'
import type { ArchiwareForm } from './useNewArchiware.ts'
import type { useIndexNames } from './useIndexNames.ts'
import shared from '../Sources.module.css'

export const slowText = 'The request is taking longer than usual, it might be an issue with the Archiware P5 URL.'

type IndexStepProps = { form: ArchiwareForm; busy: boolean; names: ReturnType<typeof useIndexNames> }

/** The index of the P5 server, the folder where the scan starts, and the display name. */
export function IndexStep({ form, busy, names }: IndexStepProps) {
  const { data, error, loading, isSlow } = names
  if (loading)
    return (
      <output className={shared.form}>
        <Loader size={24} aria-label="Reading the names of indexes" />
        {isSlow && <span>{slowText}</span>}
      </output>
    )
  if (error)
    return (
      <div className={shared.form} role="alert">
        <p className={shared.refusal}>
          Something went wrong, please check the inputs in the previous step to see if they're correct
        </p>
        <p>{(error instanceof CallError && error.details) || error.message}</p>
      </div>
    )
  return (
    <div className={shared.form}>
      <NativeSelect
        label="Archiware Index"
        data={[
          { value: '', label: data?.length === 0 ? 'This server has no index' : 'Choose an index', disabled: true },
          ...(data ?? []),
        ]}
        disabled={busy}
        data-autofocus
        {...form.getInputProps('index')}
        onChange={({ currentTarget }) => {
          const { name } = form.values
          form.setValues({ index: currentTarget.value, ...(name === '' && { name: currentTarget.value }) })
        }}
      />
      <TextInput
        label="Path"
        description="The folder of the index that is scanned; / is all of it"
        placeholder="/mnt/projects"
        disabled={busy}
        {...form.getInputProps('path')}
      />
      <TextInput label="Name" disabled={busy} {...form.getInputProps('name')} />
      <FoldedInputs folded={paceOfRequests.folded} form={form} busy={busy} edited="new" />
    </div>
  )
}
