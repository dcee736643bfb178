import { expect, test } from 'vitest'
import type { Growth } from '#events/comparison.ts'
import { growthPart } from './growthParts.ts'

const grown = (field: string, more: Partial<Growth> = {}): Growth => ({
  field,
  isUnrecorded: false,
  growth: 1,
  filesGrowth: 1,
  volumeId: null,
  path: null,
  ...more,
})
const everything = { volumeId: undefined, path: '/' }
const films = { volumeId: 3, path: '/films' }
const nameOf = (id: number) => `Storage ${id}`

test('a subfolder leads into itself, and the files directly in the folder nowhere', () => {
  const child = growthPart(grown('cuts', { volumeId: 3, path: '/films/cuts' }), 'folder', films, nameOf)
  expect(child).toMatchObject({ label: 'cuts', storage: undefined, folder: { volumeId: 3, path: '/films/cuts' } })
  const itself = growthPart(grown('', { volumeId: 3, path: '/films' }), 'folder', films, nameOf)
  expect(itself).toMatchObject({ label: 'Files directly in it', folder: undefined, files: undefined })
})

test('of everything, each folder says whose it is, and the files of a storage lead to that', () => {
  const part = growthPart(grown('', { volumeId: 4, path: '/' }), 'folder', everything, nameOf)
  expect(part).toMatchObject({
    label: 'Files directly in it',
    storage: 'Storage 4',
    folder: { volumeId: 4, path: '/' },
  })
})

test('an owner or an extension leads to its files that differ, if it has a name', () => {
  const leads = (field: string, by: 'owner' | 'extension', more?: Partial<Growth>) => {
    const { label, files } = growthPart(grown(field, more), by, films, nameOf)
    return [label, files?.word]
  }
  expect(leads('ana', 'owner')).toEqual(['ana', 'ana'])
  expect(leads('', 'owner')).toEqual(['No owner', undefined])
  expect(leads('mov', 'extension')).toEqual(['mov', 'mov'])
  expect(leads('a,b', 'extension')).toEqual(['a,b', 'a,b'])
  expect(leads('', 'extension')).toEqual(['No extension', undefined])
  expect(leads('', 'extension', { isUnrecorded: true })).toEqual(['Not recorded file by file', undefined])
})
