import { expect, test } from 'vitest'
import { z } from 'zod'
import { type TableForm, formErrors, secretOf } from './form.ts'

const stored = { id: 1, isPasswordLost: false }
const lost = { id: 2, isPasswordLost: true }

test('a secret that is left empty stays what it was, unless there is none or it was lost', () => {
  expect(secretOf('', stored)).toBeNull()
  expect(secretOf('', lost)).toBe('')
  expect(secretOf('', 'new')).toBe('')
  expect(secretOf('another', stored)).toBe('another')
})

test('what is wrong with the draft stands at the field that shows it, under its label', () => {
  const form: TableForm<{ id: number }, { folder: string }, { path: string }> = {
    opens: { at: 'dialog', title: () => 'Add', saves: () => 'Save' },
    fields: [{ name: 'folder', label: 'DataIntell Path' }],
    initial: () => ({ folder: '' }),
    schema: z.object({ path: z.string().min(1, 'must not be empty') }),
    draftOf: ({ folder }) => ({ path: folder.trim() }),
    labels: { path: 'DataIntell Path' },
    shownAt: (field) => (field === 'path' ? 'folder' : field),
  }
  expect(formErrors(form, { folder: '/mnt' }, 'new')).toEqual({})
  expect(formErrors(form, { folder: ' ' }, 'new')).toEqual({ folder: 'DataIntell Path must not be empty' })
  const named = { ...form, labels: ({ folder }: { folder: string }) => ({ path: `Path "${folder}"` }) }
  expect(formErrors(named, { folder: ' ' }, 'new')).toEqual({ folder: 'Path " " must not be empty' })
})
