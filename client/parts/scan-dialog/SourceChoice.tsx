import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { sources as kinds } from '#events/sources/kinds.ts'
import { useLiveDashboard } from '#client/app/live/dashboard.state.ts'
import { counted } from '#client/ui/text/count.ts'
import { durationText } from '#client/ui/text/duration.ts'
import type { ScannableSource } from './sourceCalls.ts'
import type { ScanKind } from './useSources.ts'
import classes from './ScanDialog.module.css'

type SourceChoiceProps = {
  sources: ScannableSource[]
  folders: Readonly<Record<string, string>>
  kind: ScanKind
  /** Ids of the selected sources. */
  chosen: number[]
  onChoose: (ids: number[]) => void
  disabled: boolean
}

/** Lists of this length and more have a search field. */
const searchedFrom = 10
const ofAnyKind = { one: 'storage', plural: 'storages' }

/** Selects some of the sources of a kind. */
export function SourceChoice({ sources, folders, kind, chosen, onChoose, disabled }: SourceChoiceProps) {
  const { one, plural } = kind === 'any' ? ofAnyKind : kinds[kind]
  const [search, setSearch] = useState('')
  const lastDuration = useLastDurations()
  const shown = sources.filter(({ name, path }) => `${name} ${path}`.toLowerCase().includes(search.toLowerCase()))
  const shownIds = shown.map(({ id }) => id)
  const others = chosen.filter((id) => !shownIds.includes(id))
  const isAll = shown.length > 0 && shownIds.every((id) => chosen.includes(id))
  if (sources.length === 0) return <p className="muted small">{`No ${one} is set up yet.`}</p>
  return (
    <fieldset className={classes.storages} disabled={disabled}>
      <legend className={classes.legend}>
        {`${plural.charAt(0).toUpperCase()}${plural.slice(1)}: ${chosen.length} of ${counted(sources.length, 'storage')} selected`}
      </legend>
      {sources.length >= searchedFrom && (
        <TextInput
          aria-label={`Search ${plural}`}
          placeholder="Search by name or path"
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      <Checkbox
        className={classes.all}
        label="Select all"
        checked={isAll}
        indeterminate={!isAll && shownIds.some((id) => chosen.includes(id))}
        onChange={({ currentTarget }) => onChoose(currentTarget.checked ? [...others, ...shownIds] : others)}
      />
      <ul className={classes.list}>
        {shown.map(({ id, volumeId, name, path }) => (
          <li key={id}>
            <Checkbox
              label={name}
              description={[path, folders[id] && `only ${folders[id]}`, lastDuration(volumeId)]
                .filter(Boolean)
                .join(' · ')}
              checked={chosen.includes(id)}
              onChange={({ currentTarget }) =>
                onChoose(currentTarget.checked ? [...chosen, id] : chosen.filter((one) => one !== id))
              }
            />
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

/** Durations of the last complete scans, such as `last scan took 3 min 08 s`, for storages that were scanned lately. */
function useLastDurations(): (volumeId: number) => string | undefined {
  const { data } = useLiveDashboard()
  return (volumeId) => {
    const durations = data?.scans.map((scan) => (scan.volumeId === volumeId ? (scan.crawlDuration ?? -1) : -1))
    const last = durations?.find((duration) => duration >= 0)
    return last === undefined ? undefined : `last scan took ${durationText(last)}`
  }
}
