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
