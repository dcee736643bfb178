import { lazy, Suspense } from 'react'
import { useParams } from 'wouter'
import { type Project, projects } from '#events/projects/calls.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useQuery } from '#client/app/address.ts'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { useBackToList } from '#client/app/useBackToList.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { Page } from '#client/ui/Page.tsx'
import { type Tab, Tabs } from '#client/ui/Tabs.tsx'
import { Chip } from '#client/ui/values/Chip.tsx'
import { ProjectGuard } from '#client/projects/ProjectGuard.tsx'
import { MembersCard } from './MembersCard.tsx'
import { MovedFolders } from './MovedFolders.tsx'
import { ProjectActions } from './ProjectActions.tsx'
import { ProjectDetails } from './ProjectDetails.tsx'
import { TimelineTab } from './TimelineTab.tsx'

const StatementsTab = lazy(() =>
  import('#client/projects/statements/StatementsTab.tsx').then((m) => ({ default: m.StatementsTab })),
)

const title = 'Project'

/** A project on the active date. */
export function ProjectPage() {
  const { id = '' } = useParams<{ id: string }>()
  return <KnownProject key={id} id={Number(id)} />
}

function KnownProject({ id }: { id: number }) {
  const { indexingDate } = useActiveDate()
  const input = { params: { id }, query: { indexingDate } }
  const project = useRemote(projects.find, input, 'projects', 'snapshots', 'priceBooks')
  useBackToList(project, useLinks().projects(), projects.find.failure)
  return (
    <Page
      // Another page than the skeleton, whose header has fewer lines on small screens.
      key={project.data ? 'loaded' : 'loading'}
      title={project.data?.name ?? title}
      leading={
        project.data?.loadingReport && (
          <Chip tone="warn" title="Still counting. Totals cover the folders counted so far.">
            Figures are still being counted
          </Chip>
        )
      }
      actions={project.data && <ProjectActions project={project.data} />}
    >
      <RemoteContent remote={project} skeleton={<Skeleton rows={10} />}>
        {(data) => (
          <>
            <MovedFolders project={data} />
            <Sides project={data} remote={project} />
          </>
        )}
      </RemoteContent>
    </Page>
  )
}

const sides = ['details', 'timeline', 'statements'] as const
type Side = (typeof sides)[number]

function Sides({ project, remote }: { project: Project; remote: Loadable<Project> }) {
  const [query, change] = useQuery()
  const shown = sides.find((side) => side === query.get('tab')) ?? 'details'
  const show = (side: Side) =>
    change((query) => {
      if (side === 'details') query.delete('tab')
      else query.set('tab', side)
    })
  const tabs: Tab<Side>[] = [
    {
      key: 'details',
      title: 'Project Details',
      content: (
        <div className="stack gap-12">
          <ProjectDetails project={project} remote={remote} />
          <ProjectGuard project={project}>
            <MembersCard id={project.id} />
          </ProjectGuard>
        </div>
      ),
    },
    { key: 'timeline', title: 'Timeline', content: <TimelineTab project={project} /> },
    {
      key: 'statements',
      title: 'Statements',
      content: (
        <Suspense fallback={<Skeleton rows={8} />}>
          <StatementsTab id={project.id} />
        </Suspense>
      ),
    },
  ]
  return <Tabs label="Views of the project" tabs={tabs} shown={shown} onShow={show} />
}
