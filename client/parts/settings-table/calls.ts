import type { ChangeTopic } from '#events/changes.ts'
import type { Answer, Call, Endpoint } from '#events/contract/endpoint.ts'
import { call } from '#client/app/call.ts'
import type { Page, Rows } from './declaration.ts'

type RowOf<E extends Endpoint> = Answer<E> extends Page<infer T> ? T : never

/** Rows from an endpoint that lists them in pages. */
export const rowsOf = <E extends Endpoint>(list: E, topic: ChangeTopic): Rows<RowOf<E>> => ({
  list,
  topic,
  query: ({ page, size, sort }) => ({ page, size, ...(sort && { sort: sort.field, direction: sort.direction }) }),
  pageOf: (answer) => answer as Page<RowOf<E>>,
})

type Crud = { create: Endpoint; update?: Endpoint; remove: Endpoint }
type Draft<C extends Crud> = Call<C['create']> extends { body: infer D } ? D : never

/** Functions that write a table, from endpoints declared with `crud`. */
export const callsOf = <C extends Crud>({ create, update, remove }: C) => ({
  create: (body: Draft<C>) => call(create, { body } as Call<Endpoint>) as Promise<Answer<C['create']>>,
  ...(update && {
    update: (id: number, body: Draft<C>) => call(update, { params: { id }, body } as Call<Endpoint>),
  }),
  remove: ({ id }: { id: number }) => call(remove, { params: { id } } as Call<Endpoint>),
})
