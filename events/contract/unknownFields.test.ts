import { expect, test } from 'vitest'
import { z } from 'zod'
import { PageQuery } from './page.ts'
import { unknownFields } from './unknownFields.ts'

const of = (schema: z.ZodType | undefined, value: unknown) => unknownFields(schema, value).map(({ field }) => field)

test('a field that is not declared is named, also deep inside', () => {
  const body = z.object({ name: z.string(), paths: z.array(z.object({ path: z.string() })).default([]) })
  expect(unknownFields(body, { name: 'a', nmae: 'b' })).toEqual([
    { field: 'nmae', message: 'is not a parameter of this call' },
  ])
  expect(of(body, { name: 'a', paths: [{ path: '/' }, { path: '/', size: 1 }] })).toEqual(['paths.1.size'])
})

test('unknown fields are found in preprocessed, combined and alternative schemas', () => {
  const query = z.intersection(PageQuery, z.object({ from: z.string() }).optional())
  expect(of(query, { page: '1', sort: 'name,asc', from: 'a', form: 'a' })).toEqual(['form'])
  const written = z.object({ book: z.object({ id: z.int(), since: z.string().nullish() }).nullable() })
  const record = z.intersection(written, z.object({ book: z.object({ id: z.int(), name: z.string() }).nullable() }))
  expect(of(record, { book: { id: 1, since: 'a', name: 'b', price: 1 } })).toEqual(['book.price'])
  const either = z.union([z.object({ volume: z.string() }), z.object({ bucket: z.string() })])
  expect(of(either, { volume: 'a', bucket: 'b' })).toEqual([])
  expect(of(either, { volume: 'a', bucket: 2 })).toEqual(['bucket'])
  const kinds = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a'), a: z.int() }),
    z.object({ kind: z.literal('b'), b: z.int() }),
  ])
  expect(
    of(
      z.lazy(() => kinds.nullable()),
      { kind: 'a', a: 1, b: 1 },
    ),
  ).toEqual(['b'])
})

test('a query that is not declared has no field, and one of any fields has all', () => {
  expect(of(undefined, { page: '1' })).toEqual(['page'])
  expect(of(undefined, {})).toEqual([])
  expect(of(z.looseObject({ a: z.int() }), { a: 1, b: 2 })).toEqual([])
  expect(of(z.record(z.string(), z.int()), { a: 1 })).toEqual([])
})

test('hostile names are names', () => {
  const hostile = JSON.parse('{"__proto__": 1, "constructor": 2, "toString": 3}')
  expect(of(z.object({ a: z.int().optional() }), hostile)).toEqual(['__proto__', 'constructor', 'toString'])
})
