import { MultiSelect, NativeSelect } from '@mantine/core'
import type { ScannerClass } from '#events/schedules/calls.ts'
import { ScanOptionInputs } from '#client/parts/scan-dialog/ScanOptionInputs.tsx'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import { jobClasses } from './jobClasses.ts'
import type { FormOfSchedule } from './scheduleForm.ts'
import { StoragePaths } from './StoragePaths.tsx'
import { optionsWith, useScanTargets } from './useScanTargets.ts'

type JobFieldsProps = { form: FormOfSchedule; busy: boolean }

/** The fields of the chosen job. */
export function JobFields({ form, busy }: JobFieldsProps) {
  const { jobClass } = form.values
  if (jobClass === '') return null
  const { canClone, canScanDelta } = jobClasses[jobClass]
  return (
    <>
      <Targets key={jobClass} jobClass={jobClass} form={form} busy={busy} />
      {canClone && (
        <ScanOptionInputs
          options={form.values}
          canScanDelta={canScanDelta}
          disabled={busy}
          onChange={({ cloneIndex, isDeltaScan }) => form.setValues({ cloneIndex, isDeltaScan })}
        />
      )}
    </>
  )
}

/** Selects the targets of the job. */
function Targets({ jobClass, form, busy }: JobFieldsProps & { jobClass: ScannerClass }) {
  const { choice } = jobClasses[jobClass]
  const { data, error, loading, retry } = useScanTargets(jobClass)
  return (
    <>
      {error && !data && !loading && <Failure error={error} retry={retry} />}
      {choice === 'agent' && <AgentChoice form={form} known={data} busy={busy} />}
      {choice === 'sources' && <SourceChoice form={form} known={data} busy={busy} />}
      {choice === 'paths' && <StoragePaths form={form} known={data} busy={busy} />}
    </>
  )
}

type ChoiceProps = JobFieldsProps & { known: Parameters<typeof optionsWith>[0] }

function AgentChoice({ form, known, busy }: ChoiceProps) {
  return (
    <NativeSelect
      label="Agent"
      data={[{ value: '', label: 'Choose an agent', disabled: true }, ...optionsWith(known, [form.values.serverId])]}
      disabled={busy}
      {...form.getInputProps('serverId')}
    />
  )
}

function SourceChoice({ form, known, busy }: ChoiceProps) {
  const { jobClass, chosen } = form.values
  const { one = 'storage', plural = 'storages' } = (jobClass !== '' && jobClasses[jobClass].source) || {}
  return (
    <MultiSelect
      label={plural.charAt(0).toUpperCase() + plural.slice(1)}
      placeholder={chosen.length === 0 ? 'Choose at least one' : undefined}
      data={optionsWith(known, chosen)}
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
