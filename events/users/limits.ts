import { z } from 'zod'
import { endpoint, Id, IdNumber } from '#events/contract/endpoint.ts'
import { PageQuery, pageOf } from '#events/contract/page.ts'
import { FolderPath } from '#events/folders/browse.ts'
import { TrackedFolder } from '#events/projects/calls.ts'

const ids = z.array(IdNumber).max(10_000).default([])

/** Limits of users: none, or all of some projects, storages and folders together. The IDs of folders are those of their storages. */
export const Limits = z.object({
  everything: z.boolean(),
  projects: ids,
  storages: ids,
  folders: z
    .array(z.object({ storageId: IdNumber, path: TrackedFolder.shape.path }))
    .max(10_000)
    .default([]),
})
export type Limits = z.output<typeof Limits>
export const noLimits: Limits = { everything: true, projects: [], storages: [], folders: [] }

/** A group of single sign-on, as in the roles of groups. */
const Group = z.object({ name: z.string().trim().min(1, 'must not be blank').max(255) })

/** Limits of a user or of a group of single sign-on. */
const LimitsOf = z.union([
  z.strictObject({ user: z.string().trim().min(1).max(255), ...Limits.shape }),
  z.strictObject({ group: Group.shape.name, ...Limits.shape }),
])
export type LimitsOf = z.output<typeof LimitsOf>

/** A rule that lets a user see a path. `group`: the group of single sign-on that it belongs to. */
const Reason = z.object({
  because: z.enum(['administrator', 'everything', 'project', 'manager', 'storage', 'folder']),
  group: z.string().nullable(),
  /** Name of the project, or path of the folder in its storage. */
  name: z.string().nullable(),
})
export const Access = z.object({
  allowed: z.boolean(),
  because: z.array(Reason),
  /** Last change of these limits; null if nothing ever limited it. */
  since: z.iso.datetime().nullable(),
})
export type Access = z.infer<typeof Access>

/** A group of single sign-on, numbered in the order of the list. */
export const GroupLimits = z.object({ id: z.int(), name: z.string(), limits: Limits })
export type GroupLimits = z.infer<typeof GroupLimits>

const needs = 'users.edit'
const failure = 'Unable to fetch what the user sees'
const changing = 'Unable to change what the user sees'
/** Limits of users and of groups. Without any, a user sees everything; administrators always do. */
export const limits = {
  ofUser: endpoint({ method: 'GET', path: '/v1/users/:id/limits', needs, failure, params: Id, answer: Limits }),
  limitUser: endpoint({
    method: 'PUT',
    path: '/v1/users/:id/limits',
    needs,
    failure: changing,
    params: Id,
    body: Limits,
    confirm: true,
  }),
  ofGroup: endpoint({ method: 'GET', path: '/v1/groups/:name/limits', needs, failure, params: Group, answer: Limits }),
  /** Groups that have roles or limits, and those of users who signed in, on one page. */
  groups: endpoint({
    method: 'GET',
    path: '/v1/groups',
    needs,
    failure,
    query: PageQuery,
    answer: pageOf(GroupLimits),
  }),
  limitGroup: endpoint({
    method: 'PUT',
    path: '/v1/groups/:name/limits',
    needs,
    failure: changing,
    params: Group,
    body: Limits,
    confirm: true,
  }),
  /** Sets the limits of many users and groups at once, or of none if one is invalid. Those that aren't listed stay. */
  limitMany: endpoint({
    method: 'PUT',
    path: '/v1/limits',
    needs,
    failure: changing,
    body: z.object({ limits: z.array(LimitsOf).min(1).max(10_000) }),
    confirm: true,
    hasLargeBody: true,
  }),
  access: endpoint({
    method: 'GET',
    path: '/v1/users/:id/access',
    needs,
    failure,
    params: Id,
    query: z.object({ storageId: IdNumber, path: FolderPath }),
    answer: Access,
  }),
}
