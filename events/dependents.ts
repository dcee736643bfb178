import { z } from 'zod'
import { endpoint, IdNumber } from './contract/endpoint.ts'

/** Objects that others refer to. A storage has the id of its volume. */
export const dependedKinds = ['user', 'storage', 'project', 'report', 'agent'] as const
export type DependedKind = (typeof dependedKinds)[number]

/**
 * What refers to an object, and what happens to it when the object is deleted: a sentence for each kind of reference.
 * Users, storages and agents are for administrators.
 */
export const dependents = endpoint({
  method: 'GET',
  path: '/v1/dependents',
  needs: 'projects.edit',
  failure: 'Unable to find out what depends on it',
  query: z.object({ id: IdNumber, of: z.enum(dependedKinds) }),
  answer: z.array(z.string()),
})
