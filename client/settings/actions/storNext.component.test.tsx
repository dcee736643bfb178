import { screen, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import {
  type StorNextConfig,
  type StorNextConfigDraft,
  storNextConfigs,
  type StorNextMapping,
  type StorNextMappingDraft,
  storNextMappings,
} from '#events/actions/storNext.ts'
import type { Endpoint } from '#events/contract/endpoint.ts'
import { fail, refuse, tableOf } from '#client/testing/fakeApi.ts'
import { open, type Options } from '#client/testing/render.tsx'
import { emptyDataTab, storagesOf } from '#client/settings/testing.ts'

const known = { 1: 'Films', 2: 'Shows', 3: 'Cloud', 4: 'Tapes' } as const
const storageList = storagesOf([
  [1, 'Films', 'crawl.files'],
  [2, 'Shows', 'DellPowerScale'],
  [3, 'Cloud', 'S3'],
  [4, 'Tapes', 'Archiware'],
])
const configOf = ({ password: _, ...draft }: StorNextConfigDraft, id: number): StorNextConfig => ({
  ...draft,
  id,
  isPasswordLost: false,
})
const mappingOf = (draft: StorNextMappingDraft, id: number): StorNextMapping => ({
  ...draft,
  id,
  volumeName: known[draft.volumeId as keyof typeof known],
  storageManagerConfigName: 'Studio',
})
const studio: StorNextConfig = {
  id: 1,
  name: 'Studio',
  host: 'mdc1',
  username: 'ws',
  certificateFingerprint: '',
  isPasswordLost: false,
}
const shows = {
  volumeId: 2,
  storageManagerConfigId: 1,
  dataintellPath: '/ifs/shows',
  storageManagerPath: '/snfs/shows',
}

type SectionRows = { configs?: StorNextConfig[]; mappings?: StorNextMapping[]; options?: Options }
async function openSection({ configs = [], mappings = [], options = {} }: SectionRows = {}) {
  const opened = await open('/settings/data', {
    ...options,
    answers: [
      ...emptyDataTab,
      ...tableOf(storNextConfigs, configs, { rowOf: configOf }),
      ...tableOf(storNextMappings, mappings, { rowOf: mappingOf }),
      storageList,
      ...(options.answers ?? []),
    ],
  })
  await opened.person.press('Quantum StorNext Integration')
  return opened
}
/** The tab has more buttons of that name. */
const addCredentials = async () => {
  const section = within(await screen.findByRole('region', { name: /^Quantum StorNext Integration/ }))
  return section.findByRole('button', { name: 'Add credentials' })
}
const table = (name: string) => screen.findByRole('table', { name })
const dialog = () => within(screen.getByRole('dialog'))
const saveNew = () => dialog().getByRole('button', { name: 'Add credentials' })
const password = async () => dialog().findByLabelText('Password', { selector: 'input' })

test('credentials are added without a user, changed without a password, and deleted', async () => {
  const { person, api } = await openSection()
  await person.see('No credentials yet. A storage path configuration needs some.')
  await person.pressAt(await addCredentials())
  await person.see('Add Quantum StorNext Credentials')
  await person.pressAt(saveNew())
  await person.see('Name must be between 1 and 255 characters')
  await person.see('Host must be between 1 and 255 characters')
  await person.write('Name', 'Studio')
  await person.write('Host', 'mdc1')
  await person.pressAt(saveNew())
  await person.see('Quantum StorNext credentials was created successfully')
  await person.closed()
  expect(api.inputs(storNextConfigs.create)).toMatchObject([
    { body: { name: 'Studio', host: 'mdc1', username: null, password: null } },
  ])
  await person.press('Edit credentials Studio')
  await person.see('Leave it empty to keep it. It is never shown.')
  await person.write('Username', 'ws')
  await person.fill(await password(), 'secret')
  await person.press('Save credentials')
  await person.see('Quantum StorNext credentials was updated successfully')
  await person.closed()
  expect(api.inputs(storNextConfigs.update)).toMatchObject([{ body: { username: 'ws', password: 'secret' } }])
  await person.press('Edit credentials Studio')
  await person.press('Save credentials')
  await person.closed()
  expect(api.inputs(storNextConfigs.update)[1]).toMatchObject({ body: { username: 'ws', password: null } })
  await person.press('Delete credentials Studio')
  await person.press('Delete credentials')
  await person.see('Quantum StorNext credentials was deleted successfully')
})

test('a storage is mapped once, and a path can be tried before', async () => {
  const { person, api } = await openSection({ configs: [studio], mappings: [mappingOf(shows, 1)] })
  await person.press('Add path configuration')
  const select = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'File Storage' })
  await person.choose('File Storage', 'Films')
  expect([...select.options].map(({ text }) => text)).toEqual(['Choose a file storage', 'Films'])
  await person.press('Save configuration')
  await person.see('Quantum StorNext Credentials must not be empty')
  await person.see('DataIntell Path must not be empty')
  await person.see('Quantum StorNext Path must not be empty')
  await person.choose('Quantum StorNext Credentials', 'Studio')
  await person.write('DataIntell Path', '/mnt/films')
  await person.write('Quantum StorNext Path', '/snfs/films')
  await person.write('Try a path', '/mnt/films/a.mov')
  await person.see('Quantum StorNext: /snfs/films/a.mov')
  await person.write('Try a path', '/snfs/films/b.mov')
  await person.see('DataIntell: /mnt/films/b.mov')
  expect(dialog().getByText('Storage Path Configurations', { selector: 'summary' })).toBeTruthy()
  await person.press('Save configuration')
  await person.see('Quantum StorNext storage path configuration was created successfully')
  await person.closed()
  expect(api.inputs(storNextMappings.create)).toEqual([
    expect.objectContaining({
      body: {
        volumeId: 1,
        storageManagerConfigId: 1,
        dataintellPath: '/mnt/films',
        storageManagerPath: '/snfs/films',
      },
    }),
  ])
  const rows = within(await table('Quantum StorNext Storage Path Configurations'))
  expect(await rows.findByRole('row', { name: /Films Studio \/mnt\/films \/snfs\/films/ })).toBeTruthy()
})

test('a mapping keeps its storage when it is changed, and is deleted after a question', async () => {
  const { person } = await openSection({ configs: [studio], mappings: [mappingOf(shows, 1)] })
  await person.press('Edit path configuration of Shows')
  expect(await person.isDisabled('File Storage', 'combobox')).toBe(true)
  await person.write('Quantum StorNext Path', '/snfs2/shows')
  await person.press('Save configuration')
  await person.see('Quantum StorNext storage path configuration was updated successfully')
  await person.closed()
  await person.see('/snfs2/shows')
  await person.press('Delete path configuration of Shows')
  await person.press('Delete configuration')
  await person.see('Quantum StorNext storage path configuration was deleted successfully')
})

test('a refusal of the server is shown at its input', async () => {
  const message = 'DataIntell Path must be /mnt/films or below it'
  const subErrors = [{ field: 'dataintellPath', message }]
  const { person } = await openSection({
    configs: [studio],
    mappings: [mappingOf(shows, 1)],
    options: { answers: [refuse(storNextMappings.update, { message: 'Validation errors', subErrors }, 400)] },
  })
  await person.press('Edit path configuration of Shows')
  await person.press('Save configuration')
  await person.see(message)
})

const credentials = 'Quantum StorNext credentials'
const mappings = 'Quantum StorNext storage path configuration'
test.each<[string, Endpoint, (person: Awaited<ReturnType<typeof openSection>>['person']) => Promise<void>]>([
  [`Unable to fetch ${credentials}`, storNextConfigs.list, async () => {}],
  [
    `Unable to create ${credentials}`,
    storNextConfigs.create,
    async ({ pressAt, write }) => {
      await pressAt(await addCredentials())
      await write('Name', 'Studio')
      await write('Host', 'mdc1')
      await pressAt(saveNew())
    },
  ],
  [
    `Unable to update ${credentials}`,
    storNextConfigs.update,
    async ({ press }) => {
      await press('Edit credentials Studio')
      await press('Save credentials')
    },
  ],
  [
    `Unable to delete ${credentials}`,
    storNextConfigs.remove,
    async ({ press }) => {
      await press('Delete credentials Studio')
      await press('Delete credentials')
    },
  ],
  [`Unable to fetch ${mappings}s`, storNextMappings.list, async () => {}],
  [
    `Unable to create ${mappings}`,
    storNextMappings.create,
    async ({ press, choose, write }) => {
      await press('Add path configuration')
      await choose('File Storage', 'Films')
      await choose('Quantum StorNext Credentials', 'Studio')
      await write('DataIntell Path', '/mnt')
      await write('Quantum StorNext Path', '/snfs')
      await press('Save configuration')
    },
  ],
  [
    `Unable to update ${mappings}`,
    storNextMappings.update,
    async ({ press }) => {
      await press('Edit path configuration of Shows')
      await press('Save configuration')
    },
  ],
  [
    `Unable to delete ${mappings}`,
    storNextMappings.remove,
    async ({ press }) => {
      await press('Delete path configuration of Shows')
      await press('Delete configuration')
    },
  ],
])('%s', async (message, endpoint, act) => {
  const { person } = await openSection({
    configs: [studio],
    mappings: [mappingOf(shows, 1)],
    options: { answers: [fail(endpoint)] },
  })
  await act(person)
  await person.see(message)
})

test('without the bundle the sections are dimmed, and nothing of them is loaded', async () => {
  const { person, api } = await open('/settings/data', { bundles: ['archiwareP5'], answers: emptyDataTab })
  await person.see('Unlock Quantum StorNext Integration')
  await person.see('Unlock Iconik Integration')
  await person.see('Unlock SODA Integration')
  expect(api.inputs(storNextConfigs.list)).toEqual([])
})
