import { expect, test } from 'vitest'
import { FileStorageDraft } from '#events/sources/fileStorages.ts'
import { checkedBy, fieldErrors, typedAddresses } from './form.ts'

const storagePrice = { id: 1 }

test('problems found by the browser read like those found by the server', () => {
  const found = checkedBy(FileStorageDraft)({ name: ' ', path: 'relative', storagePrice })
  expect(found).toEqual({ name: "Name can't be empty", path: 'Path must be an absolute path' })
  expect(fieldErrors([{ field: 'name', message: "can't be empty" }])).toEqual({ name: found.name })
})

test('a field with several errors shows its first', () => {
  expect(checkedBy(FileStorageDraft)({ name: 'x', path: '', storagePrice })).toEqual({ path: "Path can't be empty" })
})

test('a message that is a sentence stays as it is', () => {
  const message = 'You must select at least 1 resource'
  expect(fieldErrors([{ field: 'payload.resourceIds', message }])).toEqual({ 'payload.resourceIds': message })
})

test('addresses are read however they are separated', () => {
  expect(typedAddresses('ana@example.com, ben@example.com;\n cy@example.com ')).toEqual([
    'ana@example.com',
    'ben@example.com',
    'cy@example.com',
  ])
})
