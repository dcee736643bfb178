import { expect, test } from 'vitest'
import { z } from 'zod'
import { readInput } from './input.ts'
import { unknownFields } from './unknownFields.ts'

const Draft = z.object({
  name: z.string().trim().min(1, "can't be empty").max(5),
  note: z.string().min(1),
  size: z.number().min(1).max(10),
  copies: z.int(),
  kind: z.enum(['a', 'b']),
  paths: z.array(z.object({ path: z.string() })).max(1),
})
const messages = (value: unknown) =>
  Object.fromEntries((readInput(Draft, value).subErrors ?? []).map(({ field, message }) => [field, message]))

test('each message reads on from the name of its field', () => {
  expect(messages({ name: ' ', note: '', size: 11, copies: 1.5, kind: 'c', paths: [{ path: 1 }] })).toEqual({
    name: "can't be empty",
    note: 'must not be blank',
    size: 'must be at most 10',
    copies: 'must be a whole number',
    kind: 'must be one of a, b',
    'paths.0.path': 'must be text',
  })
  expect(messages({ name: 'longer', size: 0, copies: '1', kind: 'a', paths: [{ path: '' }, { path: '' }] })).toEqual({
    name: 'must have at most 5 characters',
    note: 'is required',
    size: 'must be at least 1',
    copies: 'must be a number',
    paths: 'must have at most 1 item',
  })
})

test('input that is wrong as a whole is named as a whole', () => {
  expect(messages([])).toEqual({ body: 'must be an object' })
  expect(messages(undefined)).toEqual({ body: 'is required' })
  expect(readInput(Draft, null, 'query').subErrors).toEqual([{ field: 'query', message: 'must be an object' }])
})

test('valid input is parsed', () => {
  expect(readInput(z.coerce.number().int(), '12')).toEqual({ data: 12 })
})

test('at most 100 fields are named, in little time, with any input', () => {
  const strict = z.strictObject({ name: z.string() })
  const many = Object.fromEntries(Array.from({ length: 300_000 }, (_, i) => [`field${i}`, 1]))
  const long = { ['x'.repeat(400_000)]: [1, 1], ['y'.repeat(400_000)]: 1 }
  const lists = z.object({ paths: z.array(z.object({ path: z.string() })) })
  const before = process.cpuUsage()
  expect(readInput(strict, many).subErrors).toHaveLength(1)
  expect(readInput(strict, Object.fromEntries(Object.entries(many).slice(0, 15_000))).subErrors).toHaveLength(100)
  expect(unknownFields(strict, many)).toHaveLength(100)
  expect(unknownFields(undefined, many)).toHaveLength(100)
  expect(readInput(strict, long).subErrors?.map(({ field }) => field.length)).toEqual([4, 16_384, 16_384])
  expect(readInput(lists, { paths: Array(1_000_000).fill(1) }).subErrors).toEqual([
    { field: 'paths.0', message: 'must be an object' },
  ])
  expect(readInput(lists, { paths: Array(150).fill(1) }).subErrors).toHaveLength(100)
  expect(process.cpuUsage(before).user).toBeLessThan(5_000_000)
})
