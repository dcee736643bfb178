import { IconLock } from '@tabler/icons-react'
import { useParams } from 'wouter'
import { projects } from '#events/projects/calls.ts'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import { useBackToList } from '#client/app/useBackToList.ts'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { Page } from '#client/ui/Page.tsx'
import { ProjectGuard } from '#client/projects/ProjectGuard.tsx'
import { ProjectForm } from './ProjectForm.tsx'

const notPermitted = (
  <Notice icon={IconLock}>
    <RoleGuard needs="projects.edit" otherwise="Only project managers and administrators can create and edit projects.">
      New projects need a user without limits. Ask an administrator.
    </RoleGuard>
  </Notice>
)

export function NewProjectPage() {
  return (
    <Page title="New Project">
      <RoleGuard needs={projects.create} otherwise={notPermitted}>
        <ProjectForm edited="new" />
      </RoleGuard>
    </Page>
  )
}

export function EditProjectPage() {
  const { id = '' } = useParams<{ id: string }>()
  return (
    <Page title="Edit Project">
      <EditedProject key={id} id={Number(id)} />
    </Page>
  )
}

function EditedProject({ id }: { id: number }) {
  const project = useRemote(projects.find, { params: { id }, query: {} })
  useBackToList(project, useLinks().projects(), projects.find.failure)
  return (
    <RemoteContent remote={project} skeleton={<Skeleton rows={8} />}>
      {(project) => (
        <ProjectGuard project={project} otherwise={notPermitted}>
          <ProjectForm edited={project} />
        </ProjectGuard>
      )}
    </RemoteContent>
  )
}
