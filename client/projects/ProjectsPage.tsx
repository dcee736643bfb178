import { Button, CloseButton, TextInput } from '@mantine/core'
import { IconBriefcase, IconPlus, IconSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useSnapshot } from 'valtio'
import { useTypedCallback } from '#client/ui/form/composition.ts'
import { Link } from 'wouter'
import { navigate } from '#client/app/place/navigate.ts'
import { type ListedProject, mostActiveProjects, projects } from '#events/projects/calls.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import { CostIntervalChoice } from '#client/parts/cost/CostIntervalChoice.tsx'
import { costSetting } from '#client/parts/cost/costInterval.state.ts'
import { useEarlierDates } from '#client/parts/previous-date/usePreviousDate.ts'
import { Card } from '#client/ui/Card.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { Page } from '#client/ui/Page.tsx'
import { PagedTable } from '#client/parts/pagination/PagedTable.tsx'
import { countText } from '#client/ui/text/count.ts'
import { choosePageSize, pageSize } from './pageSize.state.ts'
import { AllStatements } from './statements/AllStatements.tsx'
import { projectColumns } from './projectColumns.tsx'
import { useProjectsAddress } from './projectsAddress.ts'
import classes from './Projects.module.css'

/** List of projects with their usage. */
export function ProjectsPage() {
  const [address, go] = useProjectsAddress()
  const { filter, page, sort } = address
  const { size } = useSnapshot(pageSize)
  const { indexingDate } = useActiveDate()
  const query = { page, size, sort: sort.field, direction: sort.direction, filter, indexingDate }
  const list = useRemote(projects.list, { query }, 'projects', 'snapshots', 'priceBooks')
  useFailureToast(list.error)
  return (
    <Page title="Projects" actions={<PageActions />}>
      <div className="stack gap-12">
        <SearchBox filter={filter} onFilter={(filter) => go({ filter }, { replace: true })} />
        <Card
          title="All projects"
          note={list.data && countText(list.data.total)}
          remote={list}
          skeleton={<Skeleton rows={8} />}
          actions={<CostIntervalChoice />}
        >
          {({ elements, total }) =>
            total === 0 ? (
              <NoProjects isFiltered={filter !== ''} onClear={() => go({ filter: '' })} />
            ) : (
              <ProjectsTable rows={elements} total={total} size={size} address={address} go={go} />
            )
          }
        </Card>
      </div>
    </Page>
  )
}

const PageActions = () => (
  <>
    <AllStatements />
    <NewProjectButton />
  </>
)

function NewProjectButton() {
  const links = useLinks()
  return (
    <RoleGuard needs={projects.create}>
      <Button component={Link} href={links.newProject()} leftSection={<IconPlus size={16} stroke={1.5} />}>
        New project
      </Button>
    </RoleGuard>
  )
}

/** Delay between typing and searching, in milliseconds. */
const debounceMs = 300

function SearchBox({ filter, onFilter }: { filter: string; onFilter: (filter: string) => void }) {
  const [shown, setShown] = useState(filter)
  const [typed, setTyped] = useState(filter)
  // Reset the input when the URL changes, for example on browser back.
  if (shown !== filter) {
    setShown(filter)
    setTyped(filter)
  }
  const filterSoon = useTypedCallback(onFilter, debounceMs)
  const type = (text: string) => {
    setTyped(text)
    filterSoon(text.trim())
  }
  return (
    <TextInput
      className={classes.search}
      aria-label="Search projects"
      placeholder="Name or description"
      leftSection={<IconSearch size={16} stroke={1.5} />}
      rightSection={typed !== '' && <CloseButton size="sm" aria-label="Clear the search" onClick={() => type('')} />}
      value={typed}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  )
}

type ProjectsTableProps = {
  rows: ListedProject[]
  total: number
  size: number
  address: ReturnType<typeof useProjectsAddress>[0]
  go: ReturnType<typeof useProjectsAddress>[1]
}

function ProjectsTable({ rows, total, size, address: { page, sort }, go }: ProjectsTableProps) {
  const links = useLinks()
  const { interval } = useSnapshot(costSetting)
  const changeOf = useChanges()
  const columns = useMemo(() => projectColumns(interval, changeOf), [interval, changeOf])
  return (
    <div className={classes.table}>
      <PagedTable
        label="Projects"
        columns={columns}
        rows={rows}
        rowKey={idOf}
        stateOf={stateOf}
        sort={sort}
        onSort={(sort) => go({ sort })}
        onOpen={({ id }) => navigate(links.project(id))}
        nouns={['project', 'projects']}
        page={page}
        size={size}
        total={total}
        onPage={(page) => go({ page })}
        onSize={(size) => {
          choosePageSize(size)
          go({ page: 1 })
        }}
      />
    </div>
  )
}

/** Most projects whose change is read. */
const maxChanges = 100

/** Change of each project in the last 30 days, in bytes; undefined if it is unknown. */
function useChanges() {
  const { indexingDate } = useActiveDate()
  const earlier = useEarlierDates()
  const query = { duration: 30, size: maxChanges, ...(indexingDate !== undefined && { indexingDate }) }
  const { data } = useRemote(mostActiveProjects, earlier.length > 0 ? { query } : undefined, 'snapshots', 'projects')
  return useMemo(() => {
    const known = new Map(data?.map(({ id, variation }) => [id, variation]))
    // Unchanged projects are left out, and those beyond the limit.
    const otherwise = data && data.length < maxChanges ? 0 : undefined
    return ({ id, loadingReport }: ListedProject) => (loadingReport ? undefined : (known.get(id) ?? otherwise))
  }, [data])
}

const idOf = ({ id }: ListedProject) => id
const stateOf = ({ loadingReport }: ListedProject) => String(loadingReport)

function NoProjects({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const step = isFiltered ? (
    <Button variant="default" onClick={onClear}>
      Clear the search
    </Button>
  ) : (
    <NewProjectButton />
  )
  return (
    <Notice icon={IconBriefcase} step={step}>
      {isFiltered
        ? 'There is no project with this name or description.'
        : 'No projects yet. A project groups folders so that you can bill them.'}
    </Notice>
  )
}
