import { z } from 'zod'
import { endpoint, Id, IdNumber } from '#events/contract/endpoint.ts'

const ids = z.array(IdNumber).max(10_000)
const Member = z.object({ id: z.int(), name: z.string() })

/**
 * Users of a project. Managers edit it, tag below its folders and name its readers. Readers are the users whose limits include the project.
 * `users` has all who can be named; those who see everything can't be readers, because they see the project anyway.
 */
export const Members = z.object({
  managers: z.array(Member),
  readers: z.array(Member),
  users: z.array(Member.extend({ seesEverything: z.boolean() })),
})
export type Members = z.infer<typeof Members>

const common = {
  path: '/v1/projects/:id/members',
  needs: 'projects.manage',
  limitedBy: 'projects',
  params: Id,
} as const

export const members = {
  list: endpoint({ ...common, method: 'GET', failure: 'Unable to fetch the members of the project', answer: Members }),
  /**
   * Sets the managers, for which ROLE_PROJECT_MANAGER is needed, and the readers. A new reader sees the project in addition to what they
   * see already; one who sees everything keeps that.
   */
  update: endpoint({
    ...common,
    method: 'PUT',
    failure: 'Unable to change the members of the project',
    body: z.object({ managers: ids, readers: ids }),
  }),
}
