import { expect, test } from 'vitest'
import { type BucketFields, bucketForm } from './bucketForm.ts'
import { typesToChoose } from './TypeSelect.tsx'

const { fields: newBucket, fromRow } = bucketForm
const draftOf = (fields: BucketFields) => bucketForm.toDraft(fields, 'new')
const bucketErrors = (fields: BucketFields) => bucketForm.errors(fields)

const filled: BucketFields = {
  ...newBucket,
  credentials: '3',
  region: 'eu-west-1',
  name: 'films',
  description: 'Films',
  priceBook: '1',
}

test('each field that is missing is named in the words of the form', () => {
  expect(bucketErrors(filled)).toEqual({})
  expect(bucketErrors(newBucket)).toEqual({
    credentials: "Credentials can't be empty",
    region: "Region can't be empty",
    name: "Bucket Name can't be empty",
    description: "DataIntell Name can't be empty",
  })
  expect(bucketErrors({ ...filled, type: 'ORACLE_OBJECT_STORAGE' })).toEqual({ namespace: "Namespace can't be empty" })
})

test('Azure requires a container, Dropbox a folder, and neither a region', () => {
  const azure = { ...filled, type: 'AZURE', region: '', name: '' } as const
  expect(bucketErrors(azure)).toEqual({ name: "Bucket Name can't be empty" })
  expect(bucketErrors({ ...azure, type: 'DROPBOX' })).toEqual({ path: "Path can't be empty" })
  expect(bucketErrors({ ...azure, type: 'DROPBOX', path: 'Films' })).toEqual({ path: 'Path must begin with /' })
  expect(bucketErrors({ ...azure, type: 'DROPBOX', path: '/' })).toEqual({})
  expect(draftOf({ ...filled, type: 'DROPBOX', path: '/Films' })).toMatchObject({ path: '/Films', region: '' })
  expect(draftOf({ ...filled, path: '/Films' })).toMatchObject({ path: '' })
})

test('starting points and access are sent to the providers that have them', () => {
  const set = { ...filled, prefix: '/films/2024/', requesterPays: true, teamSpace: true }
  const access = (fields: BucketFields) => {
    const { prefix, requesterPays, teamSpace } = draftOf(fields)
    return [prefix, requesterPays, teamSpace]
  }
  expect(access(set)).toEqual(['/films/2024/', true, false])
  expect(access({ ...set, type: 'AZURE' })).toEqual(['/films/2024/', false, false])
  expect(access({ ...set, type: 'DROPBOX', path: '/' })).toEqual(['', false, true])
  expect(bucketErrors(set)).toEqual({})
})

test('Dropbox is offered where the server has an app key of it, and stays what was chosen before', () => {
  expect(typesToChoose(true)).toContain('DROPBOX')
  expect(typesToChoose(false)).not.toContain('DROPBOX')
  expect(typesToChoose(false)).toHaveLength(typesToChoose(true).length - 1)
  expect(typesToChoose(false, 'DROPBOX')).toEqual(typesToChoose(true))
})

test('fields that a provider does not use are not sent, and the name of a bucket of Oracle starts with its namespace', () => {
  expect(draftOf({ ...filled, type: 'OTHER', namespace: 'axy' })).toMatchObject({
    region: '',
    namespace: '',
    name: 'films',
  })
  const oracle = draftOf({ ...filled, type: 'ORACLE_OBJECT_STORAGE', namespace: 'axy', name: 'my.films' })
  expect(oracle).toMatchObject({ name: 'axy.my.films', namespace: 'axy', region: 'eu-west-1' })
  expect(oracle.requestsPerSecond).toBe(null)
  expect(draftOf({ ...filled, requestsPerSecond: 40 }).requestsPerSecond).toBe(40)
  const hidden = {
    ...filled,
    type: 'AZURE' as const,
    requestsPerSecond: 40,
    countsVersions: true,
    readMedia: true,
    inventory: 's3://a/b',
  }
  expect(draftOf(hidden)).toMatchObject({
    requestsPerSecond: null,
    countsVersions: true,
    readMedia: true,
    inventory: '',
  })
  expect(draftOf({ ...hidden, type: 'DROPBOX' })).toMatchObject({ countsVersions: false, readMedia: false })
  expect(bucketErrors({ ...filled, requestsPerSecond: 0.5 })).toEqual({
    requestsPerSecond: 'Requests per second must be a whole number from 1 to 10000',
  })
  const kept = { ...oracle, id: 1, volumeSettingId: 2, storagePrice: { id: 1, description: 'Cold' } }
  expect(fromRow?.(kept)).toMatchObject({ name: 'my.films', namespace: 'axy', credentials: '3', priceBook: '1' })
})
