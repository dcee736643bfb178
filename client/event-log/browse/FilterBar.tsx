import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import type { EventFilters } from '#events/event-log/calls.ts'
import { useSource } from '#client/event-log/source.ts'
import type { EventAddress, FilterParams } from '#client/event-log/useAddress.ts'
import { useSourceQuery } from '#client/event-log/useSourceQuery.ts'
import { momentIn, readMomentIn, timeZone } from '#client/ui/text/timeZone.ts'
import { MultiSelect } from '#client/ui/form/MultiSelect.tsx'
import classes from './FilterBar.module.css'

/** Filters of the list. Typed text is applied on Enter or blur and stored in the URL. */
export function FilterBar({ address: { filters, filter, clear } }: { address: EventAddress }) {
  const source = useSource()
  const { data: facets } = useSourceQuery(source.name, (signal) => source.facets(signal))
  const types = merged(facets?.types.map(({ type }) => type) ?? [], filters.type)
  const actors = merged(facets?.actors.map(({ actor }) => actor) ?? [], filters.actor ? [filters.actor] : [])
  const chosen = filters.type.length > 0 ? filters.type : types
  const isFiltered = Object.values(filters).some((value) =>
    Array.isArray(value) ? value.length > 0 : value !== undefined,
  )
  return (
    <search className="row wrap one-line gap-8">
      <Words name="text" label="Text" placeholder="Text in the event" {...{ filters, filter }} />
      <Period filter={filter} />
      <MultiSelect
        label="Types"
        allLabel="All types"
        options={types.map((type) => ({ value: type, label: type }))}
        chosen={chosen}
        onChange={(type) => filter({ type: type.length === types.length ? [] : type })}
      />
      <NativeSelect
        aria-label="Actor"
        className={classes.actor}
        data={[{ value: '', label: 'Any actor' }, ...actors]}
        value={filters.actor ?? ''}
        onChange={({ currentTarget }) => filter({ actor: currentTarget.value })}
      />
      <Words name="stream" label="Stream" placeholder="Stream: job-42, job-*" {...{ filters, filter }} />
      <Words name="agent" label="Agent" placeholder="Agent number" {...{ filters, filter }} />
      <Moment name="from" label="From" {...{ filters, filter }} />
      <Moment name="to" label="To" {...{ filters, filter }} />
      {isFiltered && (
        <Button variant="subtle" leftSection={<IconX size={16} stroke={1.5} aria-hidden />} onClick={clear}>
          Clear filters
        </Button>
      )}
    </search>
  )
}

type FieldProps = {
  label: string
  placeholder?: string
  filters: EventFilters
  filter: (change: FilterParams) => void
}

function Words({ name, label, placeholder, filters, filter }: FieldProps & { name: 'stream' | 'agent' | 'text' }) {
  const given = String(filters[name] ?? '')
  const [typed, type] = useTyped(given)
  const confirm = (event?: FormEvent) => {
    event?.preventDefault()
    if (typed.trim() !== given) filter({ [name]: typed.trim() })
  }
  return (
    <form className={classes.field} data-field={name} onSubmit={confirm}>
      <TextInput
        aria-label={label}
        placeholder={placeholder}
        value={typed}
        inputMode={name === 'agent' ? 'numeric' : 'text'}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        onBlur={() => confirm()}
      />
    </form>
  )
}

/** Periods before now, in hours. */
const periods = [
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days' },
  { value: '720', label: 'Last 30 days' },
]
const hourMs = 60 * 60_000

/** Sets both moments: the range up to now. */
function Period({ filter }: Pick<FieldProps, 'filter'>) {
  const choose = (hours: string) =>
    filter({ from: hours && new Date(Date.now() - Number(hours) * hourMs).toISOString(), to: '' })
  return (
    <NativeSelect
      aria-label="Period"
      className={classes.actor}
      data={[{ value: '', label: 'Period' }, ...periods]}
      value=""
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    />
  )
}

/** A moment in the form of the list, in the time zone of the server. Enter or leaving the field applies it. */
function Moment({ name, label, filters, filter }: FieldProps & { name: 'from' | 'to' }) {
  const given = localMoment(filters[name])
  const [typed, type] = useTyped(given)
  const moment = readLocal(typed)
  const confirm = (event?: FormEvent) => {
    event?.preventDefault()
    if (typed.trim() !== given && moment !== undefined) filter({ [name]: moment })
  }
  return (
    <form className={classes.moment} onSubmit={confirm}>
      <TextInput
        aria-label={label}
        title={timeZone}
        placeholder={`${label} yyyy-MM-dd HH:mm`}
        value={typed}
        error={moment === undefined && 'Use the form 2026-11-26 14:40'}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        onBlur={() => confirm()}
      />
    </form>
  )
}

/** Typed text, reset when the value changes. */
function useTyped(given: string) {
  const [typed, setTyped] = useState({ given, text: given })
  if (typed.given !== given) setTyped({ given, text: given })
  return [typed.text, (text: string) => setTyped({ given, text })] as const
}

const merged = (known: string[], chosen: string[]) => [...new Set([...known, ...chosen])]

/** `2026-11-26 14:40`, with seconds unless they are zero. */
function localMoment(at: string | undefined): string {
  const date = new Date(at ?? '')
  return Number.isNaN(date.getTime()) ? '' : momentIn(timeZone, date).replace(/:00$/, '')
}

/** Moment of a typed date, with or without a time; '' for none, undefined if it can't be read. */
function readLocal(typed: string): string | undefined {
  const text = typed.trim()
  if (text === '') return ''
  const [, day, time = '00:00', seconds = ':00'] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d)?)?$/.exec(text) ?? []
  const at = day === undefined ? NaN : readMomentIn(timeZone, `${day}T${time}${seconds}`)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}
