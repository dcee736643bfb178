import type { z } from 'zod'
import type { ChangeTopic } from '#events/changes.ts'
import type { Answer, Endpoint, Input, crud } from '#events/contract/endpoint.ts'
import { type Change, change } from '#server/platform/log/change.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Caller, route } from '#server/platform/http/route.ts'

type Crud<T extends z.ZodType, D extends z.ZodType, Q extends z.ZodType> = ReturnType<typeof crud<T, D, Q>>
type Of<E extends Endpoint, K extends keyof Input<E>> = Input<E>[K]

/**
 * Handlers of a settings table. `create`, `update` and `remove` run within a change that reaches `topics`, and record
 * their changes. `update` and `remove` throw `notFound` for an unknown id.
 */
type Table<C extends Crud<z.ZodType, z.ZodType, z.ZodType>> = {
  topics: readonly ChangeTopic[]
  list: (query: Of<C['list'], 'query'>, caller: Caller) => Promise<Answer<C['list']>>
  /** Returns the new id. */
  create: (change: Change<Caller>, draft: Of<C['create'], 'body'>) => Promise<number>
  update: (change: Change<Caller>, id: number, draft: Of<C['update'], 'body'>) => Promise<void>
  remove: (change: Change<Caller>, id: number) => Promise<void>
}

/** The four routes of a settings table. */
export const crudRoutes = <T extends z.ZodType, D extends z.ZodType, Q extends z.ZodType>(
  platform: Pick<Platform, 'db' | 'live'>,
  calls: Crud<T, D, Q>,
  { topics, list, create, update, remove }: Table<Crud<T, D, Q>>,
) => [
  route(calls.list, ({ query }, caller) => list(query, caller)),
  route(calls.create, async ({ body }, caller) => ({
    id: await change(platform, caller, topics, (change) => create(change, body)),
  })),
  route(calls.update, ({ params, body }, caller) =>
    change(platform, caller, topics, (change) => update(change, params.id, body)),
  ),
  route(calls.remove, ({ params }, caller) => change(platform, caller, topics, (change) => remove(change, params.id))),
]
