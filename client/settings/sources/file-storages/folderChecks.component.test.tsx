import { screen, waitFor } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { agents } from '#events/agents.ts'
import { priceBooks } from '#events/price-books.ts'
import { type FileStorage, type FileStorageDraft, fileStorages } from '#events/sources/fileStorages.ts'
import { folderCheck } from '#events/sources/folderCheck.ts'
import { rulePreview } from '#events/scans/rulePreview.ts'
import { fileStorage } from '#client/testing/examples.ts'
import { answer, fail, type FakeAnswer, pageWith, tableOf } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import { builtIn, emptyDataTab, fineFolder, priceBookOf } from '#client/settings/testing.ts'

/** Only `/mnt/films` exists. */
const checkFolder = answer(folderCheck, ({ body: { path } }) =>
  path === '/mnt/films' ? fineFolder : { ...fineFolder, reason: `${path} does not exist` },
)
const preview = answer(rulePreview, { indexingDate: null, files: 0, folders: 0, size: 0 })
const warm = priceBookOf({ description: 'Warm', currencySymbol: '€', price: 0.5, classPrices: [] }, 1)
const films = fileStorage(1, 'Films', {
  storagePrice: { id: 1, description: 'Warm', currencySymbol: '€', price: 0.5 },
})

const openData = (rows: FileStorage[] = [], ...answers: FakeAnswer[]) =>
  open('/storages/settings', {
    answers: [
      ...emptyDataTab,
      ...tableOf(fileStorages, rows, { rowOf: (draft: FileStorageDraft, id: number) => fileStorage(id, draft.name) }),
      ...(rows.length > 0 ? [answer(priceBooks.list, pageWith([warm]))] : []),
      checkFolder,
      ...answers,
    ],
  })
type Person = Awaited<ReturnType<typeof openData>>['person']
const begin = async (person: Person) => {
  await person.press('Add storage')
  await person.press(/^Folder/)
  await screen.findByRole('region', { name: 'Configure File Storage' })
}
const problems = async () => (await screen.findByRole('list', { name: 'Problems with this folder' })).textContent
const named = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
/** The message that a field has for screen readers, too. */
const errorOf = (name: string) =>
  (named(name).getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id))
    .find((element) => element?.id.endsWith('-error'))?.textContent

test('the agent is chosen first where there are several', async () => {
  const { person } = await openData([], answer(agents.list, pageWith([builtIn, { id: 2, name: 'north' }])))
  await person.press('Add storage')
  await person.press(/^Folder/)
  const agent = await screen.findByRole<HTMLInputElement>('radio', { name: 'Built-in agent' })
  expect(agent.checked).toBe(true)
  await person.press('Next')
  await screen.findByRole('region', { name: 'Configure File Storage' })
})

test('an address opens the list of storages to add, until it is closed', async () => {
  const { person } = await open('/storages?add=storage', { answers: [...emptyDataTab] })
  await screen.findByRole('dialog', { name: 'What do you want to scan?' })
  await person.press(/^Folder/)
  await screen.findByRole('dialog', { name: 'Add File Storage' })
  await person.press('Cancel')
  await person.closed()
  expect(location.search).toBe('')
})

test('Next stays at a folder with problems, which are at its field, and continues by a link', async () => {
  const { person, api } = await openData()
  await begin(person)
  await person.write('Name', 'Films')
  await person.write('Path', '/mnt/nothing')
  expect(screen.queryByRole('button', { name: 'Continue anyway' })).toBeNull()
  await person.press('Next')
  await waitFor(() => expect(errorOf('Path')).toBe('/mnt/nothing does not exist'))
  expect(screen.queryByRole('alert')).toBeNull()
  expect(await problems()).toBe('')
  await waitFor(() => expect(document.activeElement).toBe(named('Path')))
  // Leaving the field keeps the message; only another folder removes it.
  await person.keys('{Tab}')
  expect(errorOf('Path')).toBe('/mnt/nothing does not exist')
  const anyway = await screen.findByRole('button', { name: 'Continue anyway' })
  expect(anyway.hasAttribute('data-variant')).toBe(false)
  await person.press('Continue anyway')
  await person.see('No costs')
  await person.press('Back')
  await person.press('Next')
  await person.see('No costs')
  await person.press('Back')
  api.answer(answer(folderCheck, { ...fineFolder, isEmpty: true, coveredBy: 'Disk' }))
  await person.write('Path', '/srv')
  await person.press('Next')
  await waitFor(() =>
    expect(errorOf('Path')).toBe(
      'The folder is empty: maybe its file system is not mounted. It is already covered by the storage Disk.',
    ),
  )
  await person.write('Path', '/mnt/films')
  expect(screen.queryByRole('button', { name: 'Continue anyway' })).toBeNull()
})

test('a check that fails itself says why in a toast, and can be passed over', async () => {
  const { person } = await openData([], fail(folderCheck))
  await begin(person)
  await person.write('Name', 'Films')
  await person.write('Path', '/mnt/films')
  await person.press('Next')
  await person.press('Continue anyway')
  await person.see('No costs')
})

test('a folder that an edit changes is checked like a new one, and saved anyway by a link', async () => {
  const { person, api } = await openData([films], preview)
  await person.press('Edit Films')
  await person.write('Name', 'Movies')
  await person.write('Path', '/mnt/nothing')
  await person.press('Save storage')
  await waitFor(() => expect(errorOf('Path')).toBe('/mnt/nothing does not exist'))
  expect(api.inputs(fileStorages.update)).toEqual([])
  await person.write('Path', '/mnt/nowhere')
  await person.press('Save storage')
  await waitFor(() => expect(errorOf('Path')).toBe('/mnt/nowhere does not exist'))
  expect(await screen.findByRole('button', { name: 'Save storage' })).toBeTruthy()
  await person.press('Save anyway')
  await person.see('Movies was updated')
})

test('an edit that leaves the folder as it is needs no check', async () => {
  const { person } = await openData([films], preview, answer(folderCheck, { ...fineFolder, isSilent: true }))
  await person.press('Edit Films')
  await person.write('Name', 'Movies')
  await person.press('Save storage')
  await person.see('Movies was updated')
})
