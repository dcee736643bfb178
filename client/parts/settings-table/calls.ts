import type { ChangeTopic } from '#events/changes.ts'
import type { Answer, Call, Endpoint } from '#events/contract/endpoint.ts'
import { call } from '#client/app/call.ts'
import type { EditTarget } from '#client/app/defineForm.ts'
import type { Page, Row, Rows, TableCalls } from './declaration.ts'

type RowOf<E extends Endpoint> = Answer<E> extends Page<infer T> ? T : never

/** Rows from an endpoint that lists them in pages. */
export const rowsOf = <E extends Endpoint>(list: E, ...topics: ChangeTopic[]): Rows<RowOf<E>> => ({
  list,
  topics,
  query: ({ page, size, sort }) => ({ page, size, ...(sort && { sort: sort.field, direction: sort.direction }) }),
  pageOf: (answer) => answer as Page<RowOf<E>>,
})

type Crud = { create: Endpoint; update?: Endpoint; remove: Endpoint }
type Draft<C extends Crud> = Call<C['create']> extends { body: infer D } ? D : never

/** Functions that write a table, from endpoints declared with `crud`. */
export const callsOf = <C extends Crud>({ create, update, remove }: C) => ({
  create: (body: Draft<C>) => call(create, { body } as Call<Endpoint>) as Promise<Answer<C['create']>>,
  ...(update && {
    update: ({ id }: { id: number }, body: Draft<C>) => call(update, { params: { id }, body } as Call<Endpoint>),
  }),
  remove: ({ id }: { id: number }) => call(remove, { params: { id } } as Call<Endpoint>),
})

/** Adds a row, or changes the edited one. Returns the response to adding it. */
export async function saveRow<T extends Pick<Row, 'id'>, D, N>(
  { create, update }: Pick<TableCalls<T, D, N>, 'create' | 'update'>,
  edited: EditTarget<T>,
  draft: D,
): Promise<N | undefined> {
  if (edited === 'new') return create?.(draft)
  await update?.(edited, draft)
  return undefined
}
