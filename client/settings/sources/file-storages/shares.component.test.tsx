import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { priceBooks } from '#events/price-books.ts'
import { scanVolumes } from '#events/scans/calls.ts'
import { fileStorages } from '#events/sources/fileStorages.ts'
import { type FolderCheck, folderCheck } from '#events/sources/folderCheck.ts'
import {
  type NetworkCredential,
  type NetworkCredentialDraft,
  networkCredentials,
  networkShares,
} from '#events/sources/networkShares.ts'
import { fileStorage } from '#client/testing/examples.ts'
import { answer, type FakeAnswer, pageWith, refuse, tableOf } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import { emptyDataTab, fineFolder, priceBookOf, shareOf } from '#client/settings/testing.ts'

const warmPrice = { id: 1, description: 'Warm', currencySymbol: '€', price: 0.5 }

const unmounted: FolderCheck = { ...fineFolder, reason: 'nas does not answer' }
const warm = priceBookOf({ description: 'Warm', currencySymbol: '€', price: 0.5, classPrices: [] }, 1)
const credentialOf = ({ password: _, ...draft }: NetworkCredentialDraft, id: number): NetworkCredential => ({
  ...draft,
  id,
  isPasswordLost: false,
})
const editors = credentialOf({ name: 'Editors', username: 'ana', password: null, domain: '', options: '' }, 1)

const openData = (credentials: NetworkCredential[] = [], ...answers: FakeAnswer[]) =>
  open('/storages/settings', {
    answers: [
      ...emptyDataTab,
      ...tableOf(networkCredentials, credentials, { rowOf: credentialOf }),
      answer(priceBooks.list, pageWith([warm])),
      answer(folderCheck, unmounted),
      answer(scanVolumes, { jobId: 3 }),
      ...answers,
    ],
  })
type Person = Awaited<ReturnType<typeof openData>>['person']
/** Opens the wizard for a share. */
const begin = async (person: Person, type: 'SMB' | 'NFS') => {
  await person.press('Add storage')
  await person.press(/^Folder/)
  await person.press(type, 'radio')
}
const fill = async (person: Person, fields: Record<string, string>) => {
  for (const [field, text] of Object.entries(fields)) await person.write(field, text)
}
const password = () => screen.getByLabelText('Password', { selector: 'input' })

test('missing and wrong values of a share are reported at their field', async () => {
  const { person } = await openData()
  await begin(person, 'SMB')
  for (const field of ['Host', 'Share Name', 'Options', 'Name', 'Path']) await person.press(field, 'textbox')
  await person.see("Host can't be empty")
  await person.see("Share Name can't be empty")
  await fill(person, { Path: ' ', Options: 'credentials=/etc/passwd', Name: ' ', Host: ' ' })
  await person.see("Name can't be empty")
  await person.see("Path can't be empty")
  await person.see('Options must not contain credentials')
  await person.press('NFS', 'radio')
  await fill(person, { Host: '-oops', 'Share Name': 'export', Options: 'suid', Path: '/a/../b', Name: 'Media' })
  await person.see('Host must be a host name, an IPv4 address or an IPv6 address in brackets')
  await person.see('Share Name must be an absolute path')
  await person.see('Options must not contain suid')
  await person.see("Path must not contain '..'")
  expect(await person.isDisabled('Next')).toBe(true)
})

test('credentials are created within the wizard, whose buttons make room, and are selected', async () => {
  const { person } = await openData()
  await begin(person, 'SMB')
  await person.press('New credentials')
  expect(screen.queryByRole('button', { name: 'Next' })).toBeNull()
  await person.press('Cancel credentials creation')
  await screen.findByRole('button', { name: 'Next' })
  await person.press('New credentials')
  await person.press('Create credentials')
  for (const field of ['Name', 'Username', 'Password'])
    await person.see(`${field} must be between 1 and 255 characters`)
  await fill(person, { Name: 'Editors', Username: 'ana' })
  await person.fill(password(), 'a password of a share{Enter}')
  await person.see('On-Premises credentials was created successfully')
  const select = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Credentials' })
  await waitFor(() => expect(select.selectedOptions[0]?.text).toBe('Editors'))
})

test.each([
  ['host', `The agent can't find the host "nas".`, 'Host', 'textbox'],
  ['credentials', 'The user name or the password for //nas/media is wrong', 'Credentials', 'combobox'],
  ['shareName', 'There is no share //nas/media', 'Share Name', 'textbox'],
  ['options', 'SMB does not take these options: vers=9', 'Options', 'textbox'],
  [null, 'The kernel cannot mount SMB shares', 'Host', 'textbox'],
] as const)('a share with a wrong %s says so there, on Next', async (field, reason, label, role) => {
  const { person, api } = await openData([editors], answer(folderCheck, { ...unmounted, field, reason }))
  await begin(person, 'SMB')
  await fill(person, { Name: 'Media', Host: 'nas', 'Share Name': 'media' })
  await person.choose('Credentials', 'Editors')
  await person.press('Next')
  const input = await screen.findByRole(role, { name: label })
  await waitFor(() => expect(input.getAttribute('aria-invalid')).toBe('true'))
  await person.see(reason)
  expect(screen.queryByRole('alert')).toBeNull()
  expect(api.inputs(folderCheck).at(-1)?.body).toMatchObject({
    serverId: 1,
    share: { type: 'SMB', host: 'nas', networkVolumeCredential: { id: 1 } },
  })
})

test('a share that cannot be mounted is added all the same, unless its name is taken', async () => {
  const subErrors = [{ field: 'dataintellName', message: 'should be unique, Media already exists' }]
  const taken = refuse(networkShares.create, { message: 'Validation errors', subErrors }, 400)
  const { person, api, live } = await openData([], taken)
  await begin(person, 'NFS')
  await fill(person, { Name: 'Media', Host: 'nas', 'Share Name': '/export', Options: 'vers=4.1', Path: '/shows' })
  await person.press('Next')
  await person.press('Continue anyway')
  await person.choose('Price Book', 'Warm')
  await person.press('Next')
  await person.see(/Media.*\/shows.*NFS.*nas.*\/export.*vers=4\.1.*Warm/)
  await person.press('Next')
  expect(api.inputs(folderCheck).at(-1)?.body).toMatchObject({ path: '/shows', share: { type: 'NFS', host: 'nas' } })
  await person.press('Scan now', 'checkbox')
  await person.press('Save')
  await person.see('Name should be unique, Media already exists')
  const shows = fileStorage(5, 'Shows', { type: 'NetworkVolume', mountType: 'NFS', path: '/shows' })
  api.answer(
    answer(networkShares.create, { id: 1 }),
    answer(fileStorages.list, pageWith([{ ...shows, storagePrice: warmPrice }])),
  )
  await person.write('Name', 'Shows')
  // The folder is the one that was accepted before, so it isn't checked again.
  await person.press('Next')
  await person.see('No costs')
  for (let step = 0; step < 2; step++) await person.press('Next')
  await person.press('Save')
  await person.see('Shows was added')
  await person.closed()
  const sent = api.inputs(networkShares.create).at(-1)!.body
  expect(sent).toMatchObject({
    dataintellName: 'Shows',
    type: 'NFS',
    host: 'nas',
    shareName: '/export',
    options: 'vers=4.1',
    path: '/shows',
    networkVolumeCredential: null,
    storagePrice: { id: 1 },
  })
  api.answer(answer(networkShares.list, pageWith([shareOf(sent, 1, 5)])))
  live.send('changed', { type: 'changed', topics: ['sources'] })
  await person.see(/Showsnas:\/export\/shows.*NFSBuilt-in agentWarm/)
  expect(api.inputs(scanVolumes)).toEqual([])
})

test('a share is deleted by its own call', async () => {
  const shows = fileStorage(5, 'Shows', { type: 'NetworkVolume', mountType: 'SMB', path: '/' })
  const share = shareOf(
    {
      dataintellName: 'Shows',
      type: 'SMB',
      host: 'nas',
      shareName: 'media',
      options: '',
      path: '/',
      serverId: 1,
      scanType: 'VOLUME_MULTITHREAD',
      storagePrice: { id: 1 },
      networkVolumeCredential: null,
      volumeIgnoreRules: [],
      volumeIndexFolderOnlyPaths: [],
      sizeBasis: 'onDisk',
      pace: null,
    },
    9,
    5,
  )
  const { person, api } = await openData(
    [],
    answer(fileStorages.list, pageWith([shows])),
    answer(networkShares.list, pageWith([share])),
    answer(networkShares.remove),
  )
  await person.press('Delete Shows')
  await person.press('Delete storage')
  await person.see('Shows was deleted')
  expect(api.inputs(networkShares.remove)).toMatchObject([{ params: { id: 9 } }])
})

const numbered = Array.from({ length: 11 }, (_, at) => ({ ...editors, id: at + 1, name: `credentials ${10 + at}` }))
const names = numbered.map(({ name }) => name)
const table = () => screen.findByRole('table', { name: 'On-Premises credentials' })
const seeNames = (expected: string[]) =>
  waitFor(async () =>
    expect([...(await table()).querySelectorAll('tbody b')].map(({ textContent }) => textContent)).toEqual(expected),
  )

test('credentials are sorted and paged by ten or as chosen here before, without an empty last page', async () => {
  const rows = [...numbered]
  const list = answer(networkCredentials.list, ({ query: { page, size, direction, sort } }) => {
    const way = direction === 'desc' ? -1 : 1
    const sorted = rows.toSorted((a, b) => way * (sort === 'name' ? a.name.localeCompare(b.name) : a.id - b.id))
    return { ...pageWith(sorted.slice((page - 1) * size, page * size), rows.length), page, size }
  })
  const remove = answer(networkCredentials.remove, ({ params }) => {
    rows.splice(
      rows.findIndex(({ id }) => id === params.id),
      1,
    )
  })
  const { person, live } = await openData([], list, remove)
  await seeNames(names.slice(0, 10))
  const head = async () => within(await table()).getByRole('columnheader', { name: /Name/ })
  await person.pressAt(within(await head()).getByRole('button'))
  await waitFor(async () => expect((await head()).getAttribute('aria-sort')).toBe('ascending'))
  await person.pressAt(within(await head()).getByRole('button'))
  await seeNames(names.toReversed().slice(0, 10))
  await person.press('Next page')
  await seeNames(names.slice(0, 1))
  await person.press('Delete credentials credentials 10')
  await person.press('Delete credentials')
  await person.closed()
  await person.seeNo('credentials found')
  await seeNames(names.slice(1).toReversed())
  rows.push({ ...editors, id: 12, name: 'one more' })
  live.send('changed', { type: 'changed', topics: ['networkCredentials'] })
  await person.see('11 credentials found')
  await person.choose('credentials per page', '25')
  await seeNames(['one more', ...names.slice(1).toReversed()])
  expect(localStorage.getItem('numberOfElementsOnPremisesCredentials')).toBe('25')
})

test('credentials are edited and deleted, and those whose password was lost say so until it is entered', async () => {
  const rows = [{ ...editors, isPasswordLost: true }]
  const { person, api } = await openData(rows)
  await person.see(/EditorsEnter the password again/)
  await person.press('Edit credentials Editors')
  await person.see('It was encrypted with a different key than the server has now: enter it again.')
  await person.press('Save credentials')
  await person.see('Password must be between 1 and 255 characters')
  await person.fill(password(), 'of the share')
  await person.write('Domain', 'STUDIO')
  await person.press('Save credentials')
  await person.see('On-Premises credentials was updated successfully')
  await person.seeNo('Enter the password again')
  expect(api.inputs(networkCredentials.update)).toMatchObject([
    { body: { password: 'of the share', domain: 'STUDIO' } },
  ])
  await person.closed()
  await person.press('Edit credentials Editors')
  await person.see('Leave it empty to keep it. It is never shown.')
  await person.press('Save credentials')
  await person.closed()
  expect(api.inputs(networkCredentials.update).at(-1)?.body.password).toBeNull()
  await person.press('Delete credentials Editors')
  await person.see('Are you sure you want to delete the credentials Editors?')
  await person.press('Delete credentials')
  await person.see('On-Premises credentials was deleted successfully')
  await person.see("No credentials yet. Shares with guest access don't need any.")
})
