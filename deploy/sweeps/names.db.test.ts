import { expect, test } from 'vitest'
import { openAllCalls } from './testing/allCalls.ts'

const { admin } = await openAllCalls()

/** Calls that give a name to something, and their field for it. */
const named = [
  ['/api/v1/users', 'name'],
  ['/api/v1/apiTokens', 'name'],
  ['/api/v1/wall/tokens', 'name'],
  ['/api/servers', 'name'],
  ['/api/volumeSettings', 'name'],
  ['/api/v1/networkVolumes', 'dataintellName'],
  ['/api/v1/networkVolumes/credentials', 'name'],
  ['/api/v1/buckets', 'description'],
  ['/api/v1/bucket-credentials', 'name'],
  ['/api/v1/archiwares', 'name'],
  ['/api/v1/archiwares/credentials', 'name'],
  ['/api/v1/powerScales', 'dataintellName'],
  ['/api/v1/powerScales/credentials', 'name'],
  ['/api/v1/storageManager/configs', 'name'],
  ['/api/v1/storage-prices', 'description'],
  ['/api/v1/savedSearches', 'name'],
  ['/api/v1/reports/templates', 'name'],
  ['/api/projects', 'name'],
] as const

test.each(named)('%s takes no name with invisible or control characters', async (path, field) => {
  const faultOf = async (name: string) => {
    const { body } = await admin('POST', path, { [field]: name, noSuchField: 1 }).expect(400)
    return body.subErrors.find((error: { field: string }) => error.field === field)?.message
  }
  expect(await faultOf('fil\u200bms')).toBe('must not contain invisible characters')
  expect(await faultOf('films\u202egpj')).toBe('must not contain invisible characters')
  expect(await faultOf('two\r\nlines')).toBe('must not contain control characters')
  expect(await faultOf('Película 日本語 🎬')).toBeUndefined()
})
