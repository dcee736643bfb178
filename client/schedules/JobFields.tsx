import { Checkbox, MultiSelect, NativeSelect } from '@mantine/core'
import { sources } from '#events/sources/kinds.ts'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import { jobClasses } from './jobClasses.ts'
import { type FormOfSchedule, clones } from './scheduleFields.ts'
import { StoragePaths } from './StoragePaths.tsx'
import { type ScanTargets, offered } from './useScanTargets.ts'
import classes from './Schedules.module.css'

type JobFieldsProps = { form: FormOfSchedule; targets: ScanTargets; busy: boolean }

/** The fields of the chosen job. */
export function JobFields({ form, targets, busy }: JobFieldsProps) {
  const { jobClass } = form.values
  if (jobClass === '') return null
  const { choice, missing, canClone, canScanDelta } = jobClasses[jobClass]
  return (
    <>
      {missing !== undefined && <p className={classes.missing}>{missing} are not available in this version.</p>}
      {missing === undefined && targets.error && <Failure error={targets.error} retry={targets.retry} />}
      {missing === undefined && choice === 'agent' && <AgentChoice form={form} targets={targets} busy={busy} />}
      {missing === undefined && choice === 'storages' && <StorageChoice form={form} targets={targets} busy={busy} />}
      {missing === undefined && choice === 'paths' && <StoragePaths form={form} targets={targets} busy={busy} />}
      {(canClone || canScanDelta) && (
        <div className={classes.options}>
          {canScanDelta && (
            <Checkbox label="Delta Scan" disabled={busy} {...form.getInputProps('isDeltaScan', { type: 'checkbox' })} />
          )}
          {canClone && <CloneIndex form={form} busy={busy} />}
        </div>
      )}
    </>
  )
}

function CloneIndex({ form, busy }: Omit<JobFieldsProps, 'targets'>) {
  const { cloneIndex } = form.values
  const isForced = clones(form.values) && clones({ ...form.values, cloneIndex: false })
  return (
    <Checkbox
      label="Clone Index"
      description={isForced ? 'A delta scan needs it.' : undefined}
      disabled={busy || isForced}
      checked={cloneIndex || isForced}
      onChange={({ currentTarget }) => form.setFieldValue('cloneIndex', currentTarget.checked)}
    />
  )
}

function AgentChoice({ form, targets, busy }: JobFieldsProps) {
  return (
    <NativeSelect
      label="Agent"
      data={[
        { value: '', label: 'Choose an agent', disabled: true },
        ...offered(targets.agents, [form.values.serverId]),
      ]}
      disabled={busy}
      {...form.getInputProps('serverId')}
    />
  )
}

function StorageChoice({ form, targets, busy }: JobFieldsProps) {
  const isOfBuckets = form.values.jobClass === 'SCAN_BUCKETS'
  const { one, plural } = sources[isOfBuckets ? 'bucket' : 'fileStorage']
  return (
    <MultiSelect
      label={plural.charAt(0).toUpperCase() + plural.slice(1)}
      placeholder={form.values.chosen.length === 0 ? 'Choose at least one' : undefined}
      data={offered(isOfBuckets ? targets.buckets : targets.volumes, form.values.chosen)}
      searchable
      openOnFocus={false}
      comboboxProps={{ withinPortal: false }}
      clearable
      clearButtonProps={{ 'aria-label': 'Choose none' }}
      nothingFoundMessage={`No ${one} has this name`}
      disabled={busy}
      {...form.getInputProps('chosen')}
    />
  )
}
