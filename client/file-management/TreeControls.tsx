import { ActionIcon, NativeSelect } from '@mantine/core'
import { IconArrowsDiff, IconColumns1, IconColumns2 } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { AsOfDay } from '#client/app/AsOfDay.tsx'
import { useLinks } from '#client/app/links.ts'
import { DisplayToggles } from '#client/ui/table/DisplayToggles.tsx'
import { columnWords, type LastColumn, lastColumns } from './tree/lastColumns.ts'
import { hideColumn, showColumn, treeSettings } from './tree/treeSettings.state.ts'
import classes from './Files.module.css'

type TreeControlsProps = {
  place: { volumeId: number; path: string }
  /** Available dates before the active one, newest first, and the selected one. */
  previousDates: string[]
  previousDate: string | undefined
  onPreviousDate: (date: string) => void
}

/** Selects the extra column and the date to compare with. */
export function TreeControls({ place, previousDates, previousDate, onPreviousDate }: TreeControlsProps) {
  const { column, isColumnHidden } = useSnapshot(treeSettings)
  const isCompared = column === 'delta' && !isColumnHidden
  const Sign = isColumnHidden ? IconColumns1 : IconColumns2
  const word = isColumnHidden ? 'Show the last column' : 'Hide the last column'
  return (
    <div className={`row wrap push gap-8 ${classes.controls}`}>
      <DisplayToggles />
      {isCompared && <AsOfDay />}
      {isCompared && previousDate !== undefined && (
        <NativeSelect
          size="xs"
          aria-label="Previous date"
          title="Date to compare with the active date"
          data={previousDates.map((date) => ({ value: date, label: `since ${date}` }))}
          value={previousDate}
          onChange={({ currentTarget }) => onPreviousDate(currentTarget.value)}
        />
      )}
      {isCompared && previousDate === undefined && (
        <span className="muted small">Delta: there is no earlier snapshot to compare with</span>
      )}
      {isCompared && previousDate !== undefined && <Compare {...place} previousDate={previousDate} />}
      {!isColumnHidden && (
        <NativeSelect
          size="xs"
          aria-label="Last column"
          title={columnWords[column].hint ?? 'Contents of the last column'}
          data={lastColumns.map((column) => ({
            value: column,
            label: columnWords[column].title,
            disabled: column === 'delta' && previousDates.length === 0,
          }))}
          value={column}
          onChange={({ currentTarget }) => showColumn(currentTarget.value as LastColumn)}
        />
      )}
      <ActionIcon variant="subtle" aria-label={word} title={word} onClick={() => hideColumn(!isColumnHidden)}>
        <Sign size={18} stroke={1.5} />
      </ActionIcon>
    </div>
  )
}

function Compare({ volumeId, path, previousDate }: { volumeId: number; path: string; previousDate: string }) {
  const links = useLinks()
  return (
    <ActionIcon
      component={Link}
      href={links.comparison({ volumeId, path, previousDate })}
      variant="subtle"
      aria-label="Compare"
      title={`Compare with ${previousDate}`}
    >
      <IconArrowsDiff size={18} stroke={1.5} />
    </ActionIcon>
  )
}
