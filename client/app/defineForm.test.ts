import { expect, test } from 'vitest'
import { z } from 'zod'
import { CallError } from './call.ts'
import { defineForm } from './defineForm.ts'

type Row = { id: number; path: string; server: { id: number } }
const schema = z.object({
  server: z.object({ id: z.int("can't be empty") }),
  path: z.string().min(1, 'must not be empty'),
  rules: z.array(z.object({ path: z.string().startsWith('/', 'must begin with /') })),
})
const form = defineForm({
  schema,
  fields: { folder: '', agent: '', rules: [] as string[] },
  toDraft: ({ folder, agent, rules }) => ({
    path: folder.trim(),
    server: { id: agent === '' ? Number.NaN : Number(agent) },
    rules: rules.map((path) => ({ path })),
  }),
  fromRow: ({ path, server }: Row) => ({ folder: path, agent: String(server.id), rules: [] }),
  inputFor: { path: 'folder', server: 'agent' },
  labels: { path: 'DataIntell Path', 'server.id': 'Agent', 'rules.*.path': 'Rule' },
})

test('a new row has the initial values, an edited one its own', () => {
  expect(form.initial('new')).toEqual({ folder: '', agent: '', rules: [] })
  expect(form.initial({ id: 1, path: '/mnt', server: { id: 2 } })).toEqual({ folder: '/mnt', agent: '2', rules: [] })
})

test('errors of the draft have the label and the name of their input, in the order of the inputs', () => {
  expect(form.errors({ folder: '/mnt', agent: '1', rules: ['/tmp'] })).toEqual({})
  expect(Object.entries(form.errors({ folder: ' ', agent: '', rules: ['tmp', 'x'] }))).toEqual([
    ['folder', 'DataIntell Path must not be empty'],
    ['agent', "Agent can't be empty"],
    ['rules', 'Rule must begin with /'],
  ])
})

test('checks replace errors of the schema, and labels can depend on the fields', () => {
  const strict = defineForm({
    ...form,
    labels: ({ agent }) => ({ path: `Path of ${agent}` }),
    check: ({ folder }) => ({ folder: folder === '/' && 'Choose a folder' }),
  })
  expect(strict.errors({ folder: '/', agent: '1', rules: [] })).toEqual({ folder: 'Choose a folder' })
  expect(strict.errors({ folder: '', agent: '1', rules: [] })).toEqual({ folder: 'Path of 1 must not be empty' })
})

test("the server's errors appear at the inputs, and errors of unknown fields nowhere", () => {
  const subErrors = [
    { field: 'server.id', message: 'does not exist' },
    { field: 'rules[0].path', message: 'Is not a folder' },
    { field: 'scanType', message: 'is unknown' },
  ]
  const error = new CallError(400, 'Validation errors', { subErrors })
  expect(form.rejections(error, form.fields)).toEqual({ agent: 'Agent does not exist', rules: 'Is not a folder' })
  expect(form.rejections(new Error('offline'), form.fields)).toEqual({})
})
