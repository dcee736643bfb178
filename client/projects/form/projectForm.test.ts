import { expect, test } from 'vitest'
import type { Project } from '#events/projects/calls.ts'
import { isAmong, toggled } from '#client/parts/folder-picker/ManualFolder.tsx'
import { type ProjectFields, projectForm } from './projectForm.ts'

const { fields: newProject, fromRow } = projectForm
const draftOf = (fields: ProjectFields) => projectForm.toDraft(fields, 'new')
const projectErrors = (fields: ProjectFields) => projectForm.errors(fields)
const TiB = 1024 ** 4
const raw = { volumeId: 1, volumeName: 'Films', path: '/raw' }
const filled = { ...newProject, name: 'Alpine', amount: '200' }
const edited = (allocatedSize: number) =>
  fromRow?.({ name: 'Alpine', description: '', allocatedSize, projectShares: [{ projectItems: [raw] }] } as Project)

test('a size is kept in bytes, of the unit that was chosen', () => {
  expect(draftOf(filled).allocatedSize).toBe(200 * TiB)
  expect(draftOf({ ...filled, amount: '1.5' }).allocatedSize).toBe(1.5 * TiB)
  expect(draftOf({ ...filled, amount: '512', unit: 'B' }).allocatedSize).toBe(512)
})

test('a kept size shows in the largest unit that holds it whole', () => {
  expect(edited(200 * TiB)).toMatchObject({ amount: '200', unit: 'TB', folders: [raw] })
  expect(edited(1.5 * TiB)).toMatchObject({ amount: '1536', unit: 'GB' })
  expect(edited(1_000)).toMatchObject({ amount: '1000', unit: 'B' })
})

test('missing and wrong values are reported at their field', () => {
  expect(projectErrors(filled)).toEqual({})
  expect(projectErrors(newProject)).toEqual({
    name: 'Name must not be blank',
    amount: 'Allocated Size must not be null',
  })
  expect(projectErrors({ ...filled, amount: '0' })).toEqual({ amount: 'Allocated Size must be greater than 0' })
  expect(projectErrors({ ...filled, amount: 'much' })).toEqual({ amount: 'Allocated Size must be a number' })
  expect(projectErrors({ ...filled, description: 'x'.repeat(1_001) })).toHaveProperty('description')
})

test('a folder is added once, and choosing it again removes it', () => {
  const other = { ...raw, volumeId: 2 }
  const folders = toggled(toggled([], raw), other)
  expect(folders).toEqual([raw, other])
  expect(isAmong(folders, { ...raw, volumeName: 'renamed' })).toBe(true)
  expect(toggled(folders, raw)).toEqual([other])
})
