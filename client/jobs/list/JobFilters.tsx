import { Button, NativeSelect } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { agents } from '#events/agents.ts'
import { jobs } from '#events/jobs/calls.ts'
import { jobStatuses } from '#events/jobs/events.ts'
import { jobTypeLabels, jobTypes } from '#events/jobs/types.ts'
import type { CurrentUser } from '#events/users/session.ts'
import { useRemote } from '#client/app/remote.ts'
import { session, userMay } from '#client/app/session.state.ts'
import { jobStatusWords } from '#client/parts/job-words/JobStatusBadge.tsx'
import { DayInput } from '#client/ui/form/DayInput.tsx'
import { MultiSelect } from '#client/ui/form/MultiSelect.tsx'
import { allByName } from '#client/parts/pagination/pageSizes.ts'
import { isFiltered, type JobsFilter, noFilter, type Period } from './jobsAddress.ts'

type JobFiltersProps = { filter: JobsFilter; onChange: (change: Partial<JobsFilter>) => void }

/** Filters of the list by type, status, agent and time. */
export function JobFilters({ filter, onChange }: JobFiltersProps) {
  return (
    <search className="row wrap one-line gap-8">
      <TypeFilter filter={filter} onChange={onChange} />
      <MultiSelect
        label="Filter jobs by status"
        allLabel="All statuses"
        options={statusOptions}
        chosen={filter.statuses}
        onChange={(statuses) => onChange({ statuses })}
      />
      <AgentFilter filter={filter} onChange={onChange} />
      <TimeFilter filter={filter} onChange={onChange} />
      {isFiltered(filter) && (
        <Button
          variant="subtle"
          leftSection={<IconX size={16} stroke={1.5} aria-hidden />}
          onClick={() => onChange(noFilter)}
        >
          Clear filters
        </Button>
      )}
    </search>
  )
}

const statusOptions = jobStatuses.map((value) => ({ value, label: jobStatusWords[value] }))

/** Offers the types that jobs can have here. */
function TypeFilter({ filter, onChange }: JobFiltersProps) {
  const { data: offered = jobTypes } = useRemote(jobs.types, {})
  return (
    <MultiSelect
      label="Filter jobs by type"
      allLabel="Select all job types"
      options={offered.map((value) => ({ value, label: jobTypeLabels[value] }))}
      chosen={filter.types}
      onChange={(types) => onChange({ types: types.length === offered.length ? jobTypes : types })}
    />
  )
}

/** Page size above any realistic number of agents. */

/** Only administrators may list agents. */
function AgentFilter({ filter, onChange }: JobFiltersProps) {
  const user = useSnapshot(session).user as CurrentUser | undefined
  const mayList = userMay(user, agents.list.needs)
  const { data } = useRemote(agents.list, mayList ? { query: allByName } : undefined, 'agents')
  const options = (data?.elements ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  if (options.length === 0) return null
  return (
    <MultiSelect
      label="Filter jobs by agent"
      allLabel="All agents"
      options={options}
      chosen={filter.agents?.map(String) ?? options.map(({ value }) => value)}
      onChange={(ids) => onChange({ agents: ids.length === options.length ? undefined : ids.map(Number) })}
    />
  )
}

const custom = 'custom'
const times: { value: Period | typeof custom | ''; label: string }[] = [
  { value: '', label: 'Any time' },
  { value: '1h', label: 'Last hour' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: custom, label: 'Choose days' },
]

/** Time of creation: a period before now, or days. */
function TimeFilter({ filter: { period, from, to }, onChange }: JobFiltersProps) {
  const [isChoosing, chooseDays] = useState(false)
  const isCustom = !period && (isChoosing || from !== undefined || to !== undefined)
  const choose = (value: string) => {
    chooseDays(value === custom)
    const period = value === '' || value === custom ? undefined : (value as Period)
    onChange({ period, from: undefined, to: undefined })
  }
  return (
    <>
      <NativeSelect
        aria-label="Created"
        data={times}
        value={period ?? (isCustom ? custom : '')}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      {isCustom && (
        <>
          <DayInput
            aria-label="Created from"
            clearable
            value={from ?? null}
            onCommit={(day) => onChange({ from: day ?? undefined })}
          />
          <DayInput
            aria-label="Created until"
            clearable
            value={to ?? null}
            onCommit={(day) => onChange({ to: day ?? undefined })}
          />
        </>
      )}
    </>
  )
}
