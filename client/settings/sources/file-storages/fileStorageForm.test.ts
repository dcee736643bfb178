import { expect, test } from 'vitest'
import { type FileStorageFields, fileStorageForm } from './fileStorageForm.tsx'

const complete: FileStorageFields = { ...fileStorageForm.fields, name: 'Films', path: '/mnt/films', priceBook: '1' }
const draftOf = (fields: FileStorageFields) => fileStorageForm.toDraft(fields, 'new')
const wrong = (changes: Partial<FileStorageFields>) => fileStorageForm.errors({ ...complete, ...changes })

test("a complete draft has no faults, and missing fields are reported in the specification's words", () => {
  expect(wrong({})).toEqual({})
  expect(wrong({ name: ' ', path: '', priceBook: '' })).toEqual({
    name: "Name can't be empty",
    path: "Path can't be empty",
  })
  expect(wrong({ agent: '' })).toMatchObject({ agent: "Agent can't be empty" })
})

test('a share has a host and a share name, a local folder neither', () => {
  const missing = { host: "Host can't be empty", shareName: "Share Name can't be empty" }
  expect(wrong({ mountType: 'SMB' })).toEqual(missing)
  expect(wrong({ mountType: 'NFS' })).toEqual(missing)
  expect(wrong({ mountType: 'SMB', host: 'nas', shareName: 'films', options: 'vers=3.0' })).toEqual({})
})

test('options have a greatest length, and none that could harm', () => {
  const smb = { mountType: 'SMB', host: 'nas', shareName: 'films' } as const
  expect(wrong({ ...smb, options: 'x'.repeat(10_001) })).toEqual({
    options: 'Options must be between 0 and 10000 characters',
  })
  expect(wrong({ ...smb, options: 'credentials=/etc/passwd' })).toEqual({
    options: 'Options must not contain credentials: the sign-in is that of the credentials',
  })
})

test('the drafts of the calls are made of the fields', () => {
  const fields = { ...complete, ignored: ['/tmp'], credentials: '7', host: 'nas', shareName: '/films' }
  expect(draftOf(fields)).toMatchObject({
    server: { id: 1 },
    storagePrice: { id: 1 },
    volumeIgnoreRules: [{ path: '/tmp' }],
  })
  expect(draftOf({ ...fields, mountType: 'SMB' })).toMatchObject({ networkVolumeCredential: { id: 7 }, serverId: 1 })
  expect(draftOf({ ...fields, mountType: 'NFS' })).toMatchObject({ networkVolumeCredential: null })
})

test('policies change nothing in a storage unless that is selected, and nothing in shares', () => {
  expect(draftOf(complete)).toMatchObject({ policyActions: 'nothing' })
  const allowed = { ...complete, policies: 'delete' } as const
  expect(draftOf(allowed)).toMatchObject({ policyActions: 'delete' })
  expect(draftOf({ ...allowed, mountType: 'NFS', host: 'nas', shareName: '/films' })).not.toHaveProperty(
    'policyActions',
  )
})

test('costs are for sizes on disk unless apparent sizes are selected, of folders and shares', () => {
  expect(draftOf(complete)).toMatchObject({ sizeBasis: 'onDisk' })
  const apparent = { ...complete, sizeBasis: 'apparent' } as const
  expect(draftOf(apparent)).toMatchObject({ sizeBasis: 'apparent' })
  expect(draftOf({ ...apparent, mountType: 'NFS' })).toMatchObject({ sizeBasis: 'apparent' })
})
