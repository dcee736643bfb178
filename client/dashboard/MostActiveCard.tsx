import { Button, NativeSelect } from '@mantine/core'
import { IconActivity } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { growingFolders } from '#events/overview/growing.ts'
import { daysBefore } from '#events/contract/days.ts'
import { mostActiveProjects } from '#events/projects/calls.ts'
import type { SeenPlaces } from '#events/users/session.ts'
import { activityDurations, mostActiveVolumes } from '#events/storages.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useLinks } from '#client/app/links.ts'
import { refusalFor, session } from '#client/app/session.state.ts'
import { useRemote } from '#client/app/remote.ts'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import { useEarlierDates } from '#client/parts/previous-date/usePreviousDate.ts'
import { volumeName } from '#client/parts/storages/volumeWords.ts'
import { Card } from '#client/ui/Card.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { counted } from '#client/ui/text/count.ts'
import { type ComparedDays, folderActivity, projectActivity, storageActivity } from './activityDuration.state.ts'
import { type Activity, ActiveRow } from './ActiveRow.tsx'
import classes from './MostActiveCard.module.css'

const maxRows = 10

/** Storages whose size changed most in the selected period. */
export function MostActiveStorage() {
  const { user } = useSnapshot(session)
  const links = useLinks()
  const query = useActivityQuery(storageActivity)
  const earlier = useEarlierDates()
  const { data, ...storages } = useRemote(mostActiveVolumes, { query }, 'snapshots', 'dashboard')
  const rows = data?.map((storage) => ({
    id: storage.id,
    name: volumeName(storage),
    href: links.fileManagement({ path: '/', volumeId: storage.id }),
    variation: storage.variation,
    percentage: storage.variationPercentage,
    period: `from ${storage.previousIndexingDate} to ${storage.indexingDate}`,
  }))
  return (
    <MostActiveCard
      title="Most Active Storage"
      label="Most active storage over"
      compared={storageActivity}
      remote={{ ...storages, data: rows }}
      empty={
        user?.limits ? (
          <NothingChanged>{refusalFor(user.limits as SeenPlaces)}</NothingChanged>
        ) : earlier.length === 0 ? (
          <NothingChanged>Appears after the second scan.</NothingChanged>
        ) : (
          <NothingChanged step="See what is scanned" href={links.storages()}>
            There is no data for the selected time frame; make sure that the scan is properly configured or try another
            time frame.
          </NothingChanged>
        )
      }
    />
  )
}

/** Projects whose size changed most in the selected period. */
export function MostActiveProjects() {
  const links = useLinks()
  const query = useActivityQuery(projectActivity)
  const { data, ...projects } = useRemote(mostActiveProjects, { query }, 'snapshots', 'projects')
  const rows = data?.map(({ id, name, variation, previousSize }) => ({
    id,
    name,
    href: links.project(id),
    variation,
    percentage: previousSize > 0 ? (variation / previousSize) * 100 : null,
    period: `in ${counted(query.duration, 'day')}`,
  }))
  return (
    <MostActiveCard
      title="Most Active Projects"
      label="Most active projects over"
      compared={projectActivity}
      remote={{ ...projects, data: rows }}
      empty={
        <NothingChanged step="See the projects" href={links.projects()}>
          No project changed in size during this period.
        </NothingChanged>
      }
    />
  )
}

/** Folders that grew most in the selected period. Each leads to what changed in it. */
export function GrowingFolders() {
  const links = useLinks()
  const { active, indexingDate } = useActiveDate()
  const { days } = useSnapshot(folderActivity.chosen)
  const earlier = useEarlierDates()
  const start = active && daysBefore(active.indexingDate, days)
  const previousDate = earlier.find((day) => start !== undefined && day <= start) ?? earlier.at(-1)
  const query = indexingDate === undefined ? {} : { indexingDate }
  const input = previousDate === undefined ? undefined : { params: { previousDate }, query }
  const { data, ...folders } = useRemote(growingFolders, input, 'snapshots', 'dashboard')
  const rows = data?.folders.map(({ volumeId, volumeName, path, growth, size }, id) => ({
    id,
    name: `${volumeName} ${path}`,
    href: links.comparison({ volumeId, path, previousDate }),
    variation: growth,
    percentage: size > growth ? (growth / (size - growth)) * 100 : null,
    period: `from ${data.previousIndexingDate} to ${data.indexingDate}`,
  }))
  return (
    <MostActiveCard
      title="Top growing folders"
      label="Top growing folders over"
      compared={folderActivity}
      remote={{ ...folders, data: input ? rows : [] }}
      empty={
        input ? (
          <NothingChanged step="Compare snapshots" href={links.comparison()}>
            No folder grew during this period.
          </NothingChanged>
        ) : (
          <NothingChanged>Growth appears after the second snapshot.</NothingChanged>
        )
      }
    />
  )
}

/** Query parameters: period and active date. */
function useActivityQuery({ chosen }: ComparedDays) {
  const { indexingDate } = useActiveDate()
  const { days } = useSnapshot(chosen)
  return { duration: days, size: maxRows, ...(indexingDate !== undefined && { indexingDate }) }
}

type MostActiveCardProps = {
  title: string
  /** Accessible name of the period selection. */
  label: string
  compared: ComparedDays
  remote: Loadable<Activity[]>
  empty: ReactNode
}

function MostActiveCard({ title, label, compared: { chosen, choose }, remote, empty }: MostActiveCardProps) {
  const { days } = useSnapshot(chosen)
  useFailureToast(remote.error, { group: 'dashboard' })
  return (
    <Card
      title={title}
      remote={remote}
      skeleton={<Skeleton rows={5} height={36} />}
      actions={
        <NativeSelect
          aria-label={label}
          data={activityDurations.map((days) => ({ value: String(days), label: counted(days, 'day') }))}
          value={String(days)}
          onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
        />
      }
    >
      {(rows) => (rows.length === 0 ? empty : <Rows rows={rows} />)}
    </Card>
  )
}

function Rows({ rows }: { rows: Activity[] }) {
  const max = Math.max(...rows.map(({ variation }) => Math.abs(variation)))
  return (
    <ul className={classes.rows}>
      {rows.map((row) => (
        <ActiveRow key={row.id} row={row} max={max} />
      ))}
    </ul>
  )
}

type NothingChangedProps = { step?: string; href?: string; children: ReactNode }

function NothingChanged({ step, href = '', children }: NothingChangedProps) {
  return (
    <Notice
      icon={IconActivity}
      step={
        step && (
          <Button component={Link} href={href} variant="default">
            {step}
          </Button>
        )
      }
    >
      {children}
    </Notice>
  )
}
