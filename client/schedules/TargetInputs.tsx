import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ScannerClass } from '#events/schedules/calls.ts'
import { useLicence } from '#client/app/shell/useLicence.ts'
import { IdsSelect, optionsWith } from '#client/parts/settings-table/IdsSelect.tsx'
import type { InputProps } from '#client/parts/settings-table/form.ts'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import { jobClassChoices, jobClasses } from './jobClasses.ts'
import { type Row, StoragePaths } from './StoragePaths.tsx'
import { type ScanTarget, useScanTargets } from './useScanTargets.ts'

export type TargetProps<V> = InputProps<V> & { jobClass?: ScannerClass | '' }

/** Selects the job that a schedule starts. */
export const JobSelect = ({ value, onChange, ...select }: InputProps<ScannerClass | ''>) => (
  <NativeSelect
    {...select}
    data={[{ value: '', label: 'Choose a job', disabled: true }, ...jobClassChoices(useLicence())]}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value as ScannerClass)}
  />
)

/** Selects an agent. */
export const AgentChoice = ({ jobClass, value, onChange, ...select }: TargetProps<string>) => (
  <Targets jobClass={jobClass}>
    {(known) => (
      <NativeSelect
        {...select}
        data={[{ value: '', label: 'Choose an agent', disabled: true }, ...optionsWith(known, [value])]}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )}
  </Targets>
)

/** Selects sources of the kind that a job scans. */
export const SourceChoice = ({ jobClass, ...select }: TargetProps<string[]>) => (
  <Targets jobClass={jobClass}>
    {(known) => (
      <IdsSelect
        {...select}
        known={known}
        clearable
        clearButtonProps={{ 'aria-label': 'Choose none' }}
        nothingFoundMessage={`No ${sourceWords(jobClass).one} has this name`}
      />
    )}
  </Targets>
)

export const sourceWords = (jobClass: ScannerClass | '' = '') => {
  const { one = 'storage', plural = 'storages' } = (jobClass !== '' && jobClasses[jobClass].source) || {}
  return { one, plural }
}

/** Selects storages, each with a folder. */
export const PathsChoice = ({ jobClass, value, onChange, error, disabled }: TargetProps<Row[]>) => (
  <Targets jobClass={jobClass}>
    {(known) => <StoragePaths paths={value} onChange={onChange} error={error} known={known} busy={disabled} />}
  </Targets>
)

type TargetsProps = {
  jobClass: ScannerClass | '' | undefined
  children: (known: ScanTarget[] | undefined) => ReactNode
}

/** Loads the possible targets of a job. */
function Targets({ jobClass = '', ...props }: TargetsProps) {
  return jobClass === '' ? null : <TargetsOf key={jobClass} jobClass={jobClass} {...props} />
}

function TargetsOf({ jobClass, children }: TargetsProps & { jobClass: ScannerClass }) {
  const { data, error, loading, retry } = useScanTargets(jobClass)
  return (
    <>
      {error && !data && !loading && <Failure error={error} retry={retry} />}
      {children(data)}
    </>
  )
}
