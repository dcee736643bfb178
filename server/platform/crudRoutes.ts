import type { z } from 'zod'
import type { Answer, Endpoint, Input, crud } from '#events/endpoint.ts'
import { type Caller, route } from './route.ts'

type Crud<T extends z.ZodType, D extends z.ZodType, Q extends z.ZodType> = ReturnType<typeof crud<T, D, Q>>
type Of<E extends Endpoint, K extends keyof Input<E>> = Input<E>[K]

/** The functions behind a settings table; `update` and `remove` throw `notFound` for an unknown id. */
type Table<C extends Crud<z.ZodType, z.ZodType, z.ZodType>> = {
  list: (query: Of<C['list'], 'query'>, caller: Caller) => Promise<Answer<C['list']>>
  /** Returns the new id. */
  create: (draft: Of<C['create'], 'body'>, caller: Caller) => Promise<number>
  update: (id: number, draft: Of<C['update'], 'body'>, caller: Caller) => Promise<void>
  remove: (id: number, caller: Caller) => Promise<void>
}

/** The four routes of a settings table, from its declaration and its four functions. */
export const crudRoutes = <T extends z.ZodType, D extends z.ZodType, Q extends z.ZodType>(
  calls: Crud<T, D, Q>,
  table: Table<Crud<T, D, Q>>,
) => [
  route(calls.list, ({ query }, caller) => table.list(query, caller)),
  route(calls.create, async ({ body }, caller) => ({ id: await table.create(body, caller) })),
  route(calls.update, ({ params, body }, caller) => table.update(params.id, body, caller)),
  route(calls.remove, ({ params }, caller) => table.remove(params.id, caller)),
]
