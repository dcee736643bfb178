import type { ReactNode } from 'react'
import type { Project } from '#events/projects/calls.ts'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'

type ProjectGuardProps = { project: Pick<Project, 'isManager'>; otherwise?: ReactNode; children: ReactNode }

/** Renders children for users who may edit a project: by their role, or as one of its managers. Else `otherwise`. */
export const ProjectGuard = ({ project, otherwise, children }: ProjectGuardProps) =>
  project.isManager ? (
    children
  ) : (
    <RoleGuard needs="projects.edit" otherwise={otherwise}>
      {children}
    </RoleGuard>
  )
