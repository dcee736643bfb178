import { screen, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import {
  type ArchiwareMapping,
  type ArchiwareMappingDraft,
  archiwareMappings,
} from '#events/sources/archiwareMappings.ts'
import { globalMapping } from '#events/sources/pathMapping.ts'
import { answer, pageWith, tableOf } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import { emptyDataTab, storagesOf } from '#client/settings/testing.ts'

const known: [number, string, string][] = [
  [1, 'Films', 'crawl.files'],
  [2, 'Shows', 'crawl.files'],
  [3, 'Cloud', 'S3'],
  [4, 'Tapes', 'Archiware'],
]
const mappingOf = (draft: ArchiwareMappingDraft, id: number): ArchiwareMapping => ({
  ...draft,
  id,
  volumeName: known.find(([id]) => id === draft.volumeId)?.[1] ?? null,
})

async function openMappings(rows: ArchiwareMapping[] = []) {
  const opened = await open('/settings/data', {
    answers: [
      ...emptyDataTab,
      ...tableOf(archiwareMappings, rows, {
        rowOf: mappingOf,
        listOf: (all) => pageWith(all.filter(({ volumeId }) => volumeId !== globalMapping)),
      }),
      answer(archiwareMappings.ofVolume, () => rows.find(({ volumeId }) => volumeId === globalMapping) ?? null),
      storagesOf(known),
    ],
  })
  await opened.person.press('Archiware P5 Integration')
  return opened
}
const card = () => within(screen.getByRole('region', { name: 'Global Storage Path Configuration' }))

test('the global mapping is added, changed and deleted in its card', async () => {
  const { person, api } = await openMappings()
  await person.see('Applies to storages without their own.')
  await person.press('Add global configuration')
  expect(await person.isDisabled('Save configuration')).toBe(true)
  await person.write('DataIntell Path', '/mnt')
  await person.write('Archiware P5 Path', '/Volumes')
  await person.press('Save configuration')
  await person.see('Global path configuration was created successfully')
  await person.closed()
  expect(await card().findByText('/Volumes')).toBeTruthy()
  expect(api.inputs(archiwareMappings.create)).toMatchObject([
    { body: { volumeId: -1, dataintellPath: '/mnt', archiwarePath: '/Volumes' } },
  ])
  await person.press('Edit global configuration')
  await person.write('Archiware P5 Path', '/net')
  await person.press('Save configuration')
  await person.see('Global path configuration was updated successfully')
  await person.closed()
  await person.press('Delete global configuration')
  await person.see('Are you sure you want to delete the global path configuration?')
  await person.press('Delete configuration')
  await person.see('Global path configuration was deleted successfully')
  await person.see('Applies to storages without their own.')
})

test('a storage gets a mapping once, and a path can be tried while it is written', async () => {
  const { person, api } = await openMappings([
    mappingOf({ volumeId: 2, dataintellPath: '/mnt/shows', archiwarePath: '/Volumes/Shows' }, 1),
  ])
  await person.press('Add path configuration')
  const select = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'File Storage' })
  await person.choose('File Storage', 'Films')
  expect([...select.options].map(({ text }) => text)).toEqual(['Choose a file storage', 'Films'])
  await person.press('Save configuration')
  await person.see('DataIntell Path must not be empty')
  await person.see('Archiware P5 Path must not be empty')
  await person.write('Try a path', '/mnt/films/a.mov')
  await person.see('Enter both paths first.')
  await person.write('DataIntell Path', '/mnt/films')
  await person.write('Archiware P5 Path', '/Volumes/Films')
  await person.see('Archiware P5: /Volumes/Films/a.mov')
  await person.write('Try a path', '/Volumes/Films/b.mov')
  await person.see('DataIntell: /mnt/films/b.mov')
  await person.write('Try a path', '/mnt/films2/b.mov')
  await person.see('This mapping does not apply to the path.')
  await person.press('Save configuration')
  await person.see('File Storage path configuration was created successfully')
  expect(api.inputs(archiwareMappings.create)).toMatchObject([
    { body: { volumeId: 1, dataintellPath: '/mnt/films', archiwarePath: '/Volumes/Films' } },
  ])
})

test('a mapping keeps its storage when it is changed, and is deleted once that is confirmed', async () => {
  const { person } = await openMappings([
    mappingOf({ volumeId: 2, dataintellPath: '/mnt/shows', archiwarePath: '/Volumes/Shows' }, 1),
  ])
  await person.press('Edit path configuration of Shows')
  expect(await person.isDisabled('File Storage', 'combobox')).toBe(true)
  await person.write('Archiware P5 Path', '/net/shows')
  await person.press('Save configuration')
  await person.see('File Storage path configuration was updated successfully')
  await person.closed()
  await person.see('/net/shows')
  await person.press('Delete path configuration of Shows')
  await person.press('Delete configuration')
  await person.see('File Storage path configuration was deleted successfully')
  await person.see('No file storage has a path configuration of its own.')
})
