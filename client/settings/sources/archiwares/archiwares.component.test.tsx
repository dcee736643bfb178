import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { priceBooks } from '#events/price-books.ts'
import { scanArchiwares } from '#events/scans/calls.ts'
import { schedules } from '#events/schedules/calls.ts'
import {
  type Archiware,
  type ArchiwareCredential,
  type ArchiwareDraft,
  archiwareCredentialCheck,
  archiwareCredentials,
  archiwareIndexNames,
  archiwares,
} from '#events/sources/archiwares.ts'
import { answer, hold, pageWith, refuse, tableOf } from '#client/testing/fakeApi.ts'
import { open, type Options } from '#client/testing/render.tsx'
import { emptyDataTab, priceBookOf } from '#client/settings/testing.ts'

const book = priceBookOf({ description: 'Tape', currencySymbol: '$', price: 0.1, classPrices: [] }, 1)
const credentialOf = (
  { name, username, url }: Pick<ArchiwareCredential, 'name' | 'username' | 'url'>,
  id: number,
): ArchiwareCredential => ({ id, name, username, url, certificateFingerprint: '', isPasswordLost: false })
const tapes = credentialOf({ name: 'Tapes', username: 'p5', url: 'http://p5:8000' }, 1)
const archiwareOf = (draft: ArchiwareDraft, id: number): Archiware => ({ ...draft, id, volumeSettingId: id + 100 })
const draft: ArchiwareDraft = {
  indexId: 'Default-Archive',
  path: '/mnt/projects',
  name: 'Projects on tape',
  archiwareP5Credential: { id: 1 },
  storagePrice: { id: 1 },
  serverId: 1,
  pace: null,
}

type KnownRows = { rows?: Archiware[]; credentials?: ArchiwareCredential[]; options?: Options }
const openData = ({ rows = [], credentials = [tapes], options = {} }: KnownRows = {}) =>
  open('/settings/data', {
    ...options,
    answers: [
      ...emptyDataTab,
      ...tableOf(archiwares, rows, { rowOf: archiwareOf }),
      ...tableOf(archiwareCredentials, credentials, { rowOf: credentialOf }),
      answer(priceBooks.list, pageWith([book])),
      answer(archiwareIndexNames, ['Default-Archive', 'Media']),
      answer(archiwareCredentialCheck, { reason: null, field: null }),
      answer(scanArchiwares, { jobId: 3 }),
      answer(schedules.create, { id: 1 }),
    ],
  })
type Person = Awaited<ReturnType<typeof openData>>['person']
const begin = async (person: Person) => {
  await person.press('Add a new storage type')
  await person.press(/Archiware P5 Index/)
}
const unfold = (person: Person) => person.press('Archiware P5 Integration')
const rowOf = async (name: RegExp) =>
  within(await screen.findByRole('table', { name: 'Archiware P5 indexes' })).findByRole('row', { name })
const dialog = () => within(screen.getByRole('dialog'))
const write = async ({ fill }: Person, label: string, text: string) =>
  fill(await dialog().findByLabelText(label, { selector: 'input' }), text)
const toIndexStep = async (person: Person) => {
  await begin(person)
  await person.choose('Credentials', 'Tapes')
  await person.press('Next')
}

test('without the bundle the section is dimmed, and its card is locked', async () => {
  const { person, api } = await openData({ options: { bundles: [] } })
  await person.see('Archiware P5 Integration')
  await person.see('Unlock Archiware P5 Bundle')
  await person.press('Add a new storage type')
  expect(await person.isDisabled(/Archiware P5 Index/)).toBe(true)
  expect(api.inputs(archiwares.list)).toEqual([])
})

test('an index is added step by step, with new credentials and its first scans', async () => {
  const { person, api, live } = await openData({ credentials: [] })
  await unfold(person)
  await person.see('No Archiware P5 index is set up yet. Add the first one, then scan it.')
  await begin(person)
  await person.see('There are no credentials yet')
  expect(await person.isDisabled('Next')).toBe(true)
  await person.press('New credentials')
  await person.press('Create credentials')
  await person.see('Name must be between 1 and 255 characters')
  await person.see('URL must not be empty or only http:// or https://')
  await write(person, 'Name', 'Tapes')
  await write(person, 'Username', 'p5')
  await write(person, 'Password', 'secret')
  await write(person, 'URL', 'http://p5:8000')
  await person.press('Create credentials')
  await person.see('Archiware P5 credentials was created successfully')
  await person.press('Next')
  await person.choose('Archiware Index', 'Default-Archive')
  expect(dialog().getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Default-Archive')
  expect(await person.isDisabled('Next')).toBe(true)
  await person.write('Name', '')
  await person.write('Path', 'mnt/projects')
  await person.see("Name can't be empty")
  await person.write('Name', 'Projects on tape')
  await person.press('Next')
  await person.choose('Price Book', 'Tape')
  await person.press('Next')
  await person.see(/AgentBuilt-in agentCredentialsTapesArchiware IndexDefault-ArchivePathmnt\/projectsName/)
  await person.press('Next')
  await person.press('Repeat nightly', 'checkbox')
  await person.press('Save')
  await person.see('Projects on tape was added')
  await person.closed()
  live.send('changed', { type: 'changed', topics: ['sources'] })
  expect((await rowOf(/Projects on tape/)).textContent).toMatch(
    /Projects on tape\/mnt\/projectsDefault-ArchiveBuilt-in agentTape/,
  )
  expect(api.inputs(archiwareIndexNames)[0]).toMatchObject({ params: { id: 1 }, query: { serverId: 1 } })
  expect(api.inputs(archiwares.create)).toMatchObject([{ body: draft }])
  await waitFor(() =>
    expect(api.inputs(scanArchiwares)).toMatchObject([{ query: { cloneIndex: true, isDeltaScan: false }, body: [1] }]),
  )
  expect(api.inputs(schedules.create)).toMatchObject([
    { body: { jobClass: 'SCAN_ARCHIWARES', payload: { archiwareIds: [1], cloneIndex: true, isDeltaScan: true } } },
  ])
})

test('credentials that P5 refuses are reported at their field, and do not open its indexes', async () => {
  const { person, api } = await openData()
  const debugMessage = 'Wrong username or password.'
  api.answer(refuse(archiwareIndexNames, { message: 'Sign-in refused', title: 'No indexes', debugMessage }, 502))
  await toIndexStep(person)
  await person.see('Sign-in refused')
  expect(screen.getByRole('combobox', { name: 'Credentials' }).getAttribute('aria-invalid')).toBe('true')
  await person.press('Continue anyway')
  await person.see("Something went wrong, please check the inputs in the previous step to see if they're correct")
  await person.see(debugMessage)
  expect(await person.isDisabled('Next')).toBe(true)
})

test('a slow server is reported as slow after ten seconds', async () => {
  const { person, api } = await openData()
  api.answer(hold(archiwareIndexNames))
  await begin(person)
  await person.choose('Credentials', 'Tapes')
  const timeout = vi.spyOn(window, 'setTimeout')
  await person.press('Next')
  await person.seeNo('taking longer than usual')
  const [slow] = timeout.mock.calls.filter(([, ms]) => ms === 10_000)
  timeout.mockRestore()
  if (typeof slow?.[0] === 'function') slow[0]()
  await person.see('The request is taking longer than usual, it might be an issue with the Archiware P5 URL.')
  expect(await person.isDisabled('Next')).toBe(true)
})

test('a name that is taken opens its step, in the wizard and in the form', async () => {
  const { person, api } = await openData({ rows: [archiwareOf(draft, 1)] })
  const message = 'ArchiwareP5Index name should be unique,Films already exists'
  const refused = (text: string) => ({ message: 'Validation errors', subErrors: [{ field: 'name', message: text }] })
  api.answer(refuse(archiwares.create, refused(message), 400))
  await toIndexStep(person)
  await person.choose('Archiware Index', 'Media')
  await person.write('Path', '/')
  await person.write('Name', 'Films')
  await person.press('Next')
  await person.choose('Price Book', 'Tape')
  await person.press('Next')
  await person.press('Next')
  await person.press('Save')
  await person.see(message)
  await person.keys('{Escape}')
  await person.press('Back')
  await person.press('Cancel')
  await person.closed()
  await unfold(person)
  api.answer(refuse(archiwares.update, refused('DataIntell Name must be unique'), 400))
  await person.press('Edit Projects on tape')
  await person.write('DataIntell Name', '')
  await person.write('Archiware Index', '')
  await person.press('Save index')
  await person.see("DataIntell Name can't be empty")
  await person.see("IndexId can't be empty")
  await person.write('DataIntell Name', 'Films')
  await person.write('Archiware Index', 'Media')
  await person.press('Save index')
  await person.see('DataIntell Name must be unique')
})

test('an index is scanned from its row, and deleted once that is confirmed', async () => {
  const { person, api } = await openData({ rows: [archiwareOf(draft, 1)] })
  await unfold(person)
  await person.press('Scan Projects on tape')
  await person.see('Archiware indexes: 1 of 1 storage selected')
  await person.press('Scan 1 storage')
  await person.closed()
  expect(api.inputs(scanArchiwares)).toMatchObject([{ query: { cloneIndex: true, isDeltaScan: true }, body: [1] }])
  await person.press('Delete Projects on tape')
  await person.see('Nothing is deleted in Archiware P5.')
  await person.press('Delete index')
  await person.see('Projects on tape was deleted')
})

test('credentials are tried before they are saved, and the problem is at its field', async () => {
  const { person, api } = await openData()
  await unfold(person)
  await person.press('Edit credentials Tapes')
  await write(person, 'URL', 'http://p5.studio.example:8000')
  const reason = 'Archiware P5 at p5.studio.example does not accept the user p5 with this password.'
  api.answer(answer(archiwareCredentialCheck, { reason, field: 'credentials' }))
  await person.press('Save credentials')
  const password = () => dialog().getByLabelText('Password', { selector: 'input' })
  await waitFor(() => expect(password().closest('.mantine-PasswordInput-root')?.textContent).toContain(reason))
  await waitFor(() => expect(document.activeElement).toBe(password()))
  expect(api.inputs(archiwareCredentialCheck)).toMatchObject([
    { body: { id: 1, draft: { url: 'http://p5.studio.example:8000', password: null } } },
  ])
  expect(api.inputs(archiwareCredentials.update)).toEqual([])
  await person.press('Save anyway')
  await person.see('Archiware P5 credentials was updated successfully')
})
