import { Checkbox, NumberInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { speaksS3 } from '#events/sources/regions.ts'
import type { BucketForm } from './useBucketForm.ts'
import classes from './Buckets.module.css'

/** Scan settings of an S3 bucket that rarely differ from the defaults. Opens if one is set or invalid. */
export function AdvancedInputs({ form, busy }: { form: BucketForm; busy: boolean }) {
  const { type, requestsPerSecond, countsVersions, inventory } = form.values
  const [isOpen, setOpen] = useState(requestsPerSecond !== '' || countsVersions || inventory !== '')
  if (!speaksS3(type)) return null
  return (
    <details
      className={classes.advanced}
      open={isOpen || ['requestsPerSecond', 'inventory'].some((field) => form.errors[field] !== undefined)}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>Advanced</summary>
      <NumberInput
        label="Requests per second"
        description="A scan begins no more of them; empty is no limit"
        hideControls
        disabled={busy}
        {...form.getInputProps('requestsPerSecond')}
      />
      <Checkbox
        label="Count old versions and unfinished uploads"
        description="Takes more requests at each scan"
        disabled={busy}
        {...form.getInputProps('countsVersions', { type: 'checkbox' })}
      />
      <TextInput
        label="S3 Inventory"
        description="Where it is delivered to; the newest one is read instead of listing a huge bucket. Empty lists it."
        placeholder="s3://reports/inventory/films/daily"
        disabled={busy}
        {...form.getInputProps('inventory')}
      />
    </details>
  )
}
