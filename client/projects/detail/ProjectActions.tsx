import { Button, Menu } from '@mantine/core'
import { IconFileSpreadsheet, IconPencil, IconSearch, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { navigate } from '#client/app/place/navigate.ts'
import { type Project, projects } from '#events/projects/calls.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { call, download } from '#client/app/call.ts'
import { useLinks } from '#client/app/links.ts'
import { saveFile } from '#client/app/saveFile.ts'
import { ProjectGuard } from '#client/projects/ProjectGuard.tsx'
import { useBusy } from '#client/app/useBusy.ts'
import { ConfirmDeletion } from '#client/parts/deletion/ConfirmDeletion.tsx'
import { Dependents } from '#client/parts/deletion/Dependents.tsx'
import { searchOfProject } from './projectSearch.ts'

const icon = { size: 16, stroke: 1.5 }

export function ProjectActions({ project }: { project: Project }) {
  const links = useLinks()
  const files = searchOfProject(project)
  return (
    <>
      {files && (
        <Button component={Link} href={links.search(files)} variant="default" leftSection={<IconSearch {...icon} />}>
          Show files
        </Button>
      )}
      <ReportMenu id={project.id} />
      <ProjectGuard project={project}>
        <Button
          component={Link}
          href={links.editProject(project.id)}
          variant="default"
          leftSection={<IconPencil {...icon} />}
        >
          Edit
        </Button>
        <DeleteButton project={project} />
      </ProjectGuard>
    </>
  )
}

const reports = [
  { type: 'OVERVIEW', label: 'Overview' },
  { type: 'FOLDERLIST', label: 'Folder list' },
] as const

function ReportMenu({ id }: { id: number }) {
  const { indexingDate } = useActiveDate()
  const [busy, save] = useBusy(async (type: (typeof reports)[number]['type']) =>
    saveFile(await download(projects.report, { params: { id }, query: { type, indexingDate } })),
  )
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" loading={busy} leftSection={<IconFileSpreadsheet {...icon} />}>
          Excel report
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {reports.map(({ type, label }) => (
          <Menu.Item key={type} onClick={() => save(type)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function DeleteButton({ project: { id, name } }: { project: Project }) {
  const links = useLinks()
  const [isAsking, ask] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<IconTrash {...icon} />} onClick={() => ask(true)}>
        Delete
      </Button>
      <ConfirmDeletion
        deleting={isAsking ? id : undefined}
        title="Delete project"
        verb="Delete project"
        remove={(id) => call(projects.remove, { params: { id }, query: {} })}
        deletedText={() => 'Project deleted successfully'}
        onClose={() => ask(false)}
        onDeleted={() => navigate(links.projects())}
      >
        <p>
          Are you sure you want to delete the project {name}? Its folders and files stay where they are. Its statements
          stay in “All statements” on the page of all projects, marked as deleted, with the costs up to yesterday.
        </p>
        {isAsking && <Dependents kind="project" id={id} />}
      </ConfirmDeletion>
    </>
  )
}
