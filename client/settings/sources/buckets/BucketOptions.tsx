import { Checkbox, NumberInput, TextInput } from '@mantine/core'
import { factsOf } from '#events/sources/buckets.ts'
import { hasVersions, speaksS3 } from '#events/sources/regions.ts'
import { FormInputs } from '#client/parts/settings-table/FormInputs.tsx'
import { Folded } from '#client/ui/Folded.tsx'
import { paceOfRequests } from '../pace/paceForm.ts'
import { bucketForm, oldVersions } from './bucketForm.ts'
import type { BucketForm } from './useBucketForm.ts'

type InputProps = { form: BucketForm; busy: boolean }

/** Scan settings of a bucket that rarely differ from the defaults. Opens if one is set or invalid. */
export function BucketOptions({ form, busy }: InputProps) {
  const { type } = form.values
  const { summary, inputs } = paceOfRequests.folded
  return (
    <Folded
      summary={summary}
      isSet={options.some((field) => form.values[field] !== bucketForm.fields[field])}
      isInvalid={options.some((field) => form.errors[field] !== undefined)}
    >
      {!factsOf(type).hasPath && (
        <TextInput
          label="Prefix"
          description="Folder to scan. Leave empty for the whole bucket."
          placeholder="films/2024"
          disabled={busy}
          {...form.getInputProps('prefix')}
        />
      )}
      {hasVersions(type) && (
        <Checkbox
          label={`Count ${oldVersions(type)}`}
          description="Takes more requests at each scan"
          disabled={busy}
          {...form.getInputProps('countsVersions', { type: 'checkbox' })}
        />
      )}
      {speaksS3(type) && <S3Inputs form={form} busy={busy} />}
      <FormInputs inputs={inputs} form={form} busy={busy} edited="new" takesFocus={false} />
    </Folded>
  )
}

const options = [
  'prefix',
  'requestsPerSecond',
  'countsVersions',
  'requesterPays',
  'inventory',
  ...paceOfRequests.folded.inputs.map(({ name }) => name),
] as const

const S3Inputs = ({ form, busy }: InputProps) => (
  <>
    <NumberInput
      label="Requests per second"
      description="Maximum requests per second during a scan. Leave empty for no limit."
      hideControls
      disabled={busy}
      {...form.getInputProps('requestsPerSecond')}
    />
    <Checkbox
      label="Requester pays"
      description="The owner of the credentials pays for requests, as some buckets require"
      disabled={busy}
      {...form.getInputProps('requesterPays', { type: 'checkbox' })}
    />
    <TextInput
      label="S3 Inventory"
      description="Folder of the inventory reports. Scans read the newest report instead of listing a huge bucket. Leave empty to list it."
      placeholder="s3://reports/inventory/films/daily"
      disabled={busy}
      {...form.getInputProps('inventory')}
    />
  </>
)
