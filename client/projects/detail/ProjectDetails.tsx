import { Button } from '@mantine/core'
import { IconFolderPlus } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { searchMedia } from '#events/media/found.ts'
import { type Project } from '#events/projects/calls.ts'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { amountsText, costsOf } from '#client/projects/costs.ts'
import { ProjectGuard } from '#client/projects/ProjectGuard.tsx'
import { costSetting } from '#client/parts/cost/costInterval.state.ts'
import { coverageText, hoursText } from '#client/parts/media/mediaWords.ts'
import { bothSizes, projectSizes } from '#client/parts/storages/bothSizes.ts'
import { SizeTimeline } from '#client/parts/time-window/SizeTimeline.tsx'
import { Card } from '#client/ui/Card.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Panel } from '#client/ui/Panel.tsx'
import { countText, percentText } from '#client/ui/text/count.ts'
import { momentText } from '#client/ui/text/moment.ts'
import { perInterval } from '#client/ui/text/money.ts'
import { exactSize, type SizeBase, sizeWords } from '#client/ui/text/size.ts'
import { type Fact, Facts } from '#client/ui/values/Facts.tsx'
import { Meter } from '#client/ui/values/Meter.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import { projectLevel } from '#client/ui/values/usage.ts'
import { UsagePercent } from '#client/ui/values/UsagePercent.tsx'
import { CostCard } from './CostCard.tsx'
import { historyLine } from './historyChart.ts'
import { InsightsCard } from './InsightsCard.tsx'
import { searchOfProject } from './projectSearch.ts'
import { SizeCard } from './SizeCard.tsx'
import { useHistory } from './useHistory.ts'
import { VolumeSection } from './VolumeSection.tsx'
import classes from './Project.module.css'

/** With more storages, their sections start collapsed. */
const maxExpanded = 3

type ProjectDetailsProps = { project: Project; remote: Loadable<Project> }

/** Size, cost and history of a project. */
export function ProjectDetails({ project, remote }: ProjectDetailsProps) {
  const { projectShares, indexingDate } = project
  const { timeWindow, dates, openDay } = useHistory(project)
  if (projectShares.length === 0) return <NoFolders project={project} />
  return (
    <div className="stack gap-12">
      <div className="halves">
        <DetailsCard project={project} remote={remote} />
        <CostCard project={project} />
        <SizeCard project={project} />
        <InsightsCard project={project} />
      </div>
      <SizeTimeline
        title="Size history"
        timeWindow={timeWindow}
        remote={dates}
        line={(dates, base) => historyLine(dates, base, project.allocatedSize)}
        onPick={openDay}
      />
      {projectShares.map((share) => (
        <VolumeSection
          key={share.volumeId}
          share={share}
          day={indexingDate ?? timeWindow.frame.to}
          folds={projectShares.length <= maxExpanded ? 'open' : 'closed'}
        />
      ))}
    </div>
  )
}

function DetailsCard({ project, remote }: ProjectDetailsProps) {
  const { base } = useSnapshot(sizeSetting)
  const media = useMediaFacts(project)
  return (
    <Card title="Details" remote={{ ...remote, data: project }}>
      {(project) => {
        const share = project.sizeOfFiles / project.allocatedSize
        return (
          <>
            {project.description && <p className={classes.description}>{project.description}</p>}
            <div className="inset-8">
              <p className="flex wrap baseline between gap-4-12 bottom-8">
                <span>
                  <strong className="figure">
                    <UsagePercent share={share} level={projectLevel(share)} />
                  </strong>{' '}
                  used
                </span>
                <span>
                  <Size bytes={project.sizeOfFiles} /> of <Size bytes={project.allocatedSize} />
                </span>
              </p>
              <Meter share={share} label="Used of the allocated space" level={projectLevel(share)} />
            </div>
            <Facts facts={[...factsOf(project, base), ...media]} />
          </>
        )
      }}
    </Card>
  )
}

function factsOf(project: Project, base: SizeBase): Fact[] {
  const { sizeOfFiles, allocatedSize, numberOfFiles, numberOfFolders, lastAccessDate, lastModifiedDate } = project
  const size = (name: string, bytes: number) => ({ name, text: sizeWords(bytes, base), exact: exactSize(bytes) })
  return [
    { ...size('Size', sizeOfFiles), text: bothSizes(projectSizes(project), base, 'onDisk') },
    size('Allocated space', allocatedSize),
    { name: 'Number of files', text: countText(numberOfFiles) },
    { name: 'Number of folders', text: countText(numberOfFolders) },
    { name: 'Last access', text: lastAccessDate ? momentText(lastAccessDate) : 'Unknown' },
    { name: 'Last modified', text: lastModifiedDate ? momentText(lastModifiedDate) : 'Unknown' },
  ]
}

/** Share of the media files that must be read before an hour has a price. With fewer it would seem too high. */
const minReadToPrice = 0.8

/** Hours of video and audio, and their price if all of the project has one; none unless its media files were read. */
function useMediaFacts({ projectShares, indexingDate }: Project): Fact[] {
  const { interval } = useSnapshot(costSetting)
  const search = searchOfProject({ projectShares })
  const query = { ...search, indexingDate: indexingDate ?? undefined }
  const { data } = useRemote(searchMedia, search && { query }, 'snapshots')
  if (!data?.duration) return []
  const hours = data.duration / 3600
  const read = data.read / data.files
  const isPriced = read >= minReadToPrice && projectShares.every(({ storagePrice }) => storagePrice !== null)
  const perHour = [...costsOf(projectShares, undefined, interval)].map(
    ([symbol, cost]) => [symbol, cost / hours] as const,
  )
  return [
    {
      name: 'Video and audio',
      text: `${hoursText(data.duration)}, ${percentText(read)} read`,
      exact: coverageText(data),
    },
    ...(isPriced ? [{ name: 'Cost per hour', text: `${amountsText(new Map(perHour))} ${perInterval[interval]}` }] : []),
  ]
}

function NoFolders({ project }: { project: Project }) {
  const links = useLinks()
  return (
    <Panel title="Details">
      {project.description && <p className={classes.description}>{project.description}</p>}
      <Notice
        icon={IconFolderPlus}
        step={
          <ProjectGuard project={project}>
            <Button component={Link} href={links.editProject(project.id)} variant="default">
              Add folders
            </Button>
          </ProjectGuard>
        }
      >
        This project tracks no folder yet.
      </Notice>
    </Panel>
  )
}
