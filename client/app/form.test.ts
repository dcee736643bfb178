import { expect, test } from 'vitest'
import { VolumeSettingDraft } from '#events/volume-settings.ts'
import { checkedBy, fieldErrors } from './form.ts'

test('what the browser finds reads like what the server finds', () => {
  const found = checkedBy(VolumeSettingDraft)({ name: ' ', path: 'relative' })
  expect(found).toEqual({ name: "Name can't be empty", path: 'Path must be an absolute path' })
  expect(fieldErrors([{ field: 'name', message: "can't be empty" }])).toEqual({ name: found.name })
})

test('a field with several errors shows its first', () => {
  expect(checkedBy(VolumeSettingDraft)({ name: 'x', path: '' })).toEqual({ path: "Path can't be empty" })
})

test('a message that is a sentence stays as it is', () => {
  const message = 'You must select at least 1 resource'
  expect(fieldErrors([{ field: 'payload.resourceIds', message }])).toEqual({ 'payload.resourceIds': message })
})
