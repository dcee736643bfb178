import { IconChartLine, IconFolderOff, IconFolders, IconFolderSymlink, IconSearch } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { navigate } from '#client/app/place/navigate.ts'
import type { ProjectItem } from '#events/projects/calls.ts'
import { useLinks } from '#client/app/links.ts'
import { RankedBars } from '#client/ui/charts/RankedBars.tsx'
import { counted } from '#client/ui/text/count.ts'
import { Chip } from '#client/ui/values/Chip.tsx'
import { Moment } from '#client/ui/values/Moment.tsx'
import { PathText } from '#client/ui/values/PathText.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import { type AgeField, ageChart, duplicateChart, type FolderChart } from './folderCharts.ts'
import { searchIn } from './projectSearch.ts'
import classes from './Project.module.css'

type FolderCardProps = { item: ProjectItem; by: AgeField; day: string; isDeleted: boolean }

/** A folder of a project: size on the date, links, and distribution of its files. */
export function FolderCard({ item, by, day, isDeleted }: FolderCardProps) {
  const { base } = useSnapshot(sizeSetting)
  const { fullPath, path, pathOnDate, movedTo, isGone, isNested, numberOfFiles } = item
  const copies = item.statistics.DUPLICATE?.duplicate
  const hasCharts = !isGone && !isDeleted && numberOfFiles > 0
  return (
    <article className={classes.item} aria-label={path}>
      <header className="row strong min-28 gap-8">
        <PathText path={fullPath} />
        {isGone && (
          <Chip icon={IconFolderOff} tone="critical" title="This folder doesn't exist on the selected date">
            Gone
          </Chip>
        )}
        {movedTo && (
          <Chip icon={IconFolderSymlink} tone="warn" title={`Probably moved to ${movedTo.fullPath}`}>
            Moved
          </Chip>
        )}
        {pathOnDate !== path && (
          <Chip icon={IconFolderSymlink} title="The project followed this folder to its new path">
            {`${pathOnDate} on this date`}
          </Chip>
        )}
        {isNested && (
          <Chip icon={IconFolders} title="Included in another folder of this project">
            In another folder
          </Chip>
        )}
        {!isDeleted && <FolderLinks item={item} />}
      </header>
      <FolderFacts item={item} />
      {hasCharts && (
        <div className={classes.itemCharts}>
          {copies && copies.numberOfFiles > 0 ? (
            <Bars chart={duplicateChart(item, base)} />
          ) : (
            <p className="muted">{copies ? 'No duplicates' : 'Duplicates are not available for your projects.'}</p>
          )}
          <Bars chart={ageChart(item, by, day, base)} />
        </div>
      )}
    </article>
  )
}

function FolderFacts({ item }: { item: ProjectItem }) {
  const { sizeOfFiles, numberOfFiles, lastModifiedDate, lastAccessDate } = item
  return (
    <p className="flex wrap muted gap-4-16">
      <Size bytes={sizeOfFiles} />
      <span>{counted(numberOfFiles, 'file')}</span>
      {lastModifiedDate && (
        <span>
          Last modified <Moment at={lastModifiedDate} />
        </span>
      )}
      {lastAccessDate && (
        <span>
          Last access <Moment at={lastAccessDate} />
        </span>
      )}
    </p>
  )
}

/** Bars that link to their files. */
function Bars({ chart: { title, parts, searches } }: { chart: FolderChart }) {
  const links = useLinks()
  const open = (key: string) => {
    const search = searches.get(key)
    if (search) navigate(links.search(search))
  }
  return (
    <div>
      <h3 className="muted small strong bottom-4">{title}</h3>
      <RankedBars parts={parts} onPick={open} />
    </div>
  )
}

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

function FolderLinks({ item }: { item: ProjectItem }) {
  const links = useLinks()
  const { volumeId, path, pathOnDate } = item
  const ways = [
    { label: 'File Management', Sign: IconFolders, href: links.fileManagement({ volumeId, path: pathOnDate }) },
    { label: 'Folder analytics', Sign: IconChartLine, href: links.folders({ volumeId, path: pathOnDate }) },
    { label: 'Files', Sign: IconSearch, href: links.search(searchIn([item])) },
  ]
  return (
    <span className="flex push gap-4">
      {ways.map(({ label, Sign, href }) => (
        <Link
          key={label}
          className="icon-button muted hover-text"
          href={href}
          aria-label={`${label} of ${path}`}
          title={label}
        >
          <Sign {...icon} />
        </Link>
      ))}
    </span>
  )
}
