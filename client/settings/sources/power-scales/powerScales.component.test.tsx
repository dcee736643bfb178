import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { configurations } from '#events/configurations.ts'
import { priceBooks } from '#events/price-books.ts'
import { sourceScans } from '#events/scans/sourceScans.ts'
import {
  type PowerScale,
  type PowerScaleCredential,
  powerScaleCheck,
  powerScaleCredentials,
  powerScales,
} from '#events/sources/powerScales.ts'
import { rulePreview } from '#events/scans/rulePreview.ts'
import { powerScaleDraft as draft } from '#client/testing/examples.ts'
import { answer, pageWith, refuse, tableOf } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import { emptyDataTab, powerScaleCredentialOf, powerScaleOf, priceBookOf } from '#client/settings/testing.ts'

const book = priceBookOf({ description: 'Tier 1', currencySymbol: '$', price: 0.3, classPrices: [] }, 1)
const cluster = powerScaleCredentialOf({ name: 'Cluster', username: 'scan' }, 1)
const renders = powerScaleOf(draft, 1)

type KnownRows = { rows?: PowerScale[]; credentials?: PowerScaleCredential[] }
const openData = ({ rows = [], credentials = [cluster] }: KnownRows = {}) =>
  open('/storages/settings', {
    answers: [
      ...emptyDataTab,
      ...tableOf(powerScales, rows, { rowOf: powerScaleOf }),
      ...tableOf(powerScaleCredentials, credentials, { rowOf: powerScaleCredentialOf }),
      answer(priceBooks.list, pageWith([book])),
      answer(rulePreview, { indexingDate: null, files: 0, folders: 0, size: 0 }),
      answer(sourceScans.powerScale, { jobId: 3 }),
      answer(powerScaleCheck, { reason: null, field: null }),
    ],
  })
const rowOf = async (name: RegExp) =>
  within(await screen.findByRole('table', { name: 'Dell PowerScale storages' })).findByRole('row', { name })
const dialog = () => within(screen.getByRole('dialog'))
const write = async ({ fill }: Awaited<ReturnType<typeof openData>>['person'], label: string, text: string) =>
  fill(dialog().getByLabelText(label, { selector: 'input' }), text)

test('nothing is set up at first, and the section is there while beta features are shown', async () => {
  const { person, api, live } = await openData({ credentials: [] })
  await person.see('No Dell PowerScale storage is set up yet. Add the first one, then scan it.')
  await person.see('No credentials yet. A Dell PowerScale storage needs some.')
  const off = {
    name: 'isBetaActive' as const,
    description: '',
    value: 'false',
    isHashed: false,
    isSet: true,
    isLost: false,
  }
  api.answer(answer(configurations.list, [off]))
  live.send('changed', { type: 'changed', topics: ['configurations'] })
  await person.seeNo('Dell PowerScale')
})

test('a storage is added with the usual retention of snapshots, checked as it is written', async () => {
  const { person, api, live } = await openData()
  await person.press('Add Dell PowerScale storage')
  await person.press('Save storage')
  await person.see('Host must be between 1 and 255 characters')
  await person.see('Name must be between 1 and 255 characters')
  await person.see("Credentials can't be empty")
  await write(person, 'Host', 'isilon.example.com')
  await write(person, 'Name', 'Renders')
  await write(person, 'Path', '/data')
  await write(person, 'Delta scan snapshot expiration (days)', '0')
  await person.choose('Credentials', 'Cluster')
  await person.choose('Price Book', 'Tier 1')
  await person.press('Save storage')
  await person.see('Path must be /ifs or a folder below it')
  await person.see('Days must be a whole number from 1 to 36500')
  await write(person, 'Path', '/ifs/renders')
  await write(person, 'Delta scan snapshot expiration (days)', '3')
  await write(person, 'Ignored Paths', '/tmp{Enter}')
  await person.press('Save storage')
  await person.see('Renders was added')
  await person.closed()
  expect(api.inputs(powerScales.create)).toMatchObject([{ body: { ...draft, volumeIgnoreRules: [{ path: '/tmp' }] } }])
  live.send('changed', { type: 'changed', topics: ['sources'] })
  expect((await rowOf(/Renders/)).textContent).toMatch(/Renders\/ifs\/rendersBuilt-in agentTier 1\/tmp/)
})

test('a storage is changed, and refusals of the server are at its field', async () => {
  const { person, api } = await openData({ rows: [renders] })
  await person.press('Edit Renders')
  const subErrors = [{ field: 'dataintellName', message: 'should be unique, Films already exists' }]
  api.answer(refuse(powerScales.update, { message: 'Validation errors', subErrors }, 400))
  await write(person, 'Name', 'Films')
  await person.press('Save storage')
  await person.see('Name should be unique, Films already exists')
  expect(api.inputs(powerScales.update)).toMatchObject([{ params: { id: 1 }, body: { dataintellName: 'Films' } }])
})

test('a cluster that does not answer is a problem of its field, and a link saves anyway', async () => {
  const { person, api } = await openData()
  const reason = 'isilon.example.com does not accept the user name or the password of scan.'
  api.answer(answer(powerScaleCheck, { reason, field: 'credentials' }))
  await person.press('Add Dell PowerScale storage')
  await write(person, 'Host', 'isilon.example.com')
  await write(person, 'Name', 'Renders')
  await write(person, 'Path', '/ifs/renders')
  await person.choose('Credentials', 'Cluster')
  await person.press('Save storage')
  const credentials = () => dialog().getByRole('combobox', { name: 'Credentials' })
  await waitFor(() => expect(credentials().getAttribute('aria-invalid')).toBe('true'))
  await person.see(reason)
  await waitFor(() => expect(document.activeElement).toBe(credentials()))
  expect(api.inputs(powerScaleCheck)).toMatchObject([
    { body: { host: 'isilon.example.com', path: '/ifs/renders', dellPowerScaleCredentials: { id: 1 }, serverId: 1 } },
  ])
  // Another host may be right, so the message is gone.
  await write(person, 'Host', 'other.example.com')
  await person.seeNo(reason)
  await person.press('Save storage')
  await person.see(reason)
  expect(api.inputs(powerScales.create)).toEqual([])
  await person.press('Save anyway')
  await person.see('Renders was added')
  await person.closed()
  expect(api.inputs(powerScales.create)).toMatchObject([{ body: { host: 'other.example.com', storagePrice: null } }])
})

test('an edit that leaves the cluster as it is does not try it', async () => {
  const { person, api } = await openData({ rows: [renders] })
  await person.press('Edit Renders')
  await write(person, 'Name', 'Frames')
  await person.press('Save storage')
  await person.see('Frames was updated')
  expect(api.inputs(powerScaleCheck)).toEqual([])
  await person.press('Edit Frames')
  await write(person, 'Path', '/ifs/other')
  await person.press('Save storage')
  await person.see('Frames was updated')
  expect(api.inputs(powerScaleCheck)).toMatchObject([{ body: { path: '/ifs/other' } }])
})

test('a delta scan forces the index to be cloned', async () => {
  const { person, api } = await openData({ rows: [renders, powerScaleOf({ ...draft, dataintellName: 'Films' }, 2)] })
  await person.press('Scan Renders')
  await person.see('Dell PowerScale storages: 1 of 2 storages selected')
  const clone = () => screen.getByRole<HTMLInputElement>('checkbox', { name: 'Keep other storages in the snapshot' })
  expect([clone().checked, clone().disabled]).toEqual([true, true])
  await person.press('Only changes', 'checkbox')
  expect([clone().checked, clone().disabled]).toEqual([true, false])
  await person.press('Keep other storages in the snapshot', 'checkbox')
  expect(clone().checked).toBe(false)
  await person.press('Only changes', 'checkbox')
  expect([clone().checked, clone().disabled]).toEqual([true, true])
  await person.press('Films', 'checkbox')
  await person.press('Scan all 2 storages')
  await person.see('Scanner for the job(s) is now running.')
  await person.closed()
  expect(api.inputs(sourceScans.powerScale)).toEqual([
    { params: undefined, query: { cloneIndex: true, isDeltaScan: true }, body: [1, 2] },
  ])
})

test('a storage is deleted once that is confirmed', async () => {
  const { person } = await openData({ rows: [renders] })
  await person.press('Delete Renders')
  await person.see(
    'This process will delete the configuration and the indexed data for the last index. It could take several minutes.',
  )
  await person.press('Delete storage')
  await person.see('Renders was deleted')
  await person.see('No Dell PowerScale storage is set up yet.')
})

test('credentials are added, and a new password is optional when they are edited', async () => {
  const { person, api } = await openData({ credentials: [] })
  await person.see('A Dell PowerScale storage needs some.')
  const [, second] = await screen.findAllByRole('button', { name: 'Add credentials' })
  await person.pressAt(second!)
  await person.see('Add Dell PowerScale Credentials')
  await person.pressAt(dialog().getByRole('button', { name: 'Add credentials' }))
  await person.see('Username must be between 1 and 255 characters')
  await person.see('Password must be between 1 and 255 characters')
  await write(person, 'Name', 'Cluster')
  await write(person, 'Username', 'scan')
  await write(person, 'Password', 'secret')
  await person.pressAt(dialog().getByRole('button', { name: 'Add credentials' }))
  await person.see('Dell PowerScale credentials was created successfully')
  await person.closed()
  await person.press('Edit credentials Cluster')
  await write(person, 'Username', 'other')
  await person.press('Save credentials')
  await person.see('Dell PowerScale credentials was updated successfully')
  expect(api.inputs(powerScaleCredentials.update)).toMatchObject([
    { params: { id: 1 }, body: { name: 'Cluster', username: 'other', password: null } },
  ])
})
