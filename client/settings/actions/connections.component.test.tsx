import { screen, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { type Agent, agents } from '#events/agents.ts'
import { type SodaMapping, type SodaMappingDraft, sodaMappings } from '#events/actions/transfers.ts'
import {
  type ConfigurationEntry,
  type ConfigurationName,
  configurationKeys,
  configurations,
  isHashed,
} from '#events/configurations.ts'
import { answer, pageWith, refuse, tableOf } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import { builtIn, emptyDataTab, storagesOf } from '#client/settings/testing.ts'

const names = [
  'iconikUrl',
  'iconikAppId',
  'iconik.authtoken',
  'sodaUrl',
  'sodaClientId',
  'sodaClientSecret',
  'sodaDeletesMovedFiles',
  'iconikAgents',
  'sodaAgents',
] as const

/** The data tab with configuration entries, which are kept in `values`. */
async function openTab(
  section: string,
  values: Partial<Record<ConfigurationName, string>> = {},
  { isLost = false, others = [] }: { isLost?: boolean; others?: Agent[] } = {},
) {
  const entry = (name: ConfigurationName): ConfigurationEntry => ({
    name,
    description: configurationKeys[name].description,
    value: isHashed(name) ? null : (values[name] ?? ''),
    isHashed: isHashed(name),
    isSet: (values[name] ?? '') !== '',
    isLost: isLost && isHashed(name),
  })
  const mappings: SodaMapping[] = []
  const opened = await open('/settings/data', {
    answers: [
      ...emptyDataTab,
      answer(agents.list, pageWith([builtIn, ...others])),
      answer(configurations.list, () => names.map(entry)),
      answer(configurations.update, ({ body }) => {
        for (const { name, value } of body) values[name] = value
        return body.map(({ name }) => entry(name))
      }),
      ...tableOf(sodaMappings, mappings, {
        rowOf: (draft: SodaMappingDraft, id): SodaMapping => ({ ...draft, id, volumeName: 'Films' }),
      }),
      storagesOf([
        [1, 'Films', 'crawl.files'],
        [2, 'Cloud', 'S3'],
        [3, 'Tapes', 'Archiware'],
      ]),
    ],
  })
  await opened.person.press(section)
  return opened
}
const card = () => within(screen.getByRole('region', { name: 'Configurations' }))
const secret = (label: string) => screen.findByLabelText(label, { selector: 'input' })

test('Iconik is set up by two dialogs, and its token is masked', async () => {
  const { person, api } = await openTab('Iconik Integration')
  await person.see('Iconik integration is not configured properly.')
  await person.press('Edit configurations')
  await person.write('URL', 'http://eu.iconik.io')
  await person.press('Save configurations')
  await person.see('URL must begin with https://')
  await person.write('URL', 'https://eu.iconik.io')
  await person.write('Application ID', 'app-1')
  await person.press('Save configurations')
  await person.see('The configurations were updated.')
  await person.closed()
  await person.see('Iconik integration is not configured properly.')
  await person.see('Not set')
  await person.press('Change application token')
  await person.fill(await secret('Application Token'), 'token-1')
  await person.press('Save application token')
  await person.closed()
  await person.seeNo('Iconik integration is not configured properly.')
  expect(card().getByText('app-1')).toBeTruthy()
  expect(card().getByText('••••••••')).toBeTruthy()
  await person.seeNo('token-1')
  expect(api.inputs(configurations.update).map(({ body }) => body)).toEqual([
    [
      { name: 'iconikUrl', value: 'https://eu.iconik.io', description: 'Iconik URL' },
      { name: 'iconikAppId', value: 'app-1', description: 'Iconik Application ID' },
    ],
    [{ name: 'iconik.authtoken', value: 'token-1', description: 'Iconik Auth-Token' }],
  ])
})

test('errors are shown at their input, and other failures as a toast', async () => {
  const { person, api } = await openTab('Iconik Integration', { iconikAppId: 'app-1', 'iconik.authtoken': 'x' })
  await person.press('Edit configurations')
  await person.write('Application ID', 'x'.repeat(256))
  await person.press('Save configurations')
  await person.see('Application ID must have at most 255 characters')
  await person.write('Application ID', 'app-2')
  api.answer(refuse(configurations.update, { message: 'Unable to update the configurations' }))
  await person.press('Save configurations')
  await person.see('Unable to update the configurations')
  await person.press('Cancel')
  await person.press('Change application token')
  const message = 'Value must not contain control characters'
  const subErrors = [{ field: 'iconik.authtoken', message }]
  api.answer(refuse(configurations.update, { message: 'Validation errors', subErrors }, 400))
  await person.fill(await secret('Application Token'), 'token')
  await person.press('Save application token')
  await person.see(message)
})

test('a token of another server key has to be entered again', async () => {
  const { person } = await openTab(
    'Iconik Integration',
    { iconikAppId: 'app-1', 'iconik.authtoken': 'x' },
    { isLost: true },
  )
  await person.see('Enter the application token again')
})

test('the transfer service is set up, and unconfirmed parts are marked', async () => {
  const { person, api } = await openTab('SODA Integration')
  await person.see('not yet confirmed with a deployment')
  await person.see('SODA integration is not configured properly.')
  await person.press('Edit configurations')
  await person.write('URL', 'http://soda.example.com')
  await person.press('Save configurations')
  await person.see('URL must begin with https://')
  await person.write('URL', 'https://soda.example.com')
  await person.write('Client ID', 'di')
  await person.press('Save configurations')
  await person.closed()
  await person.press('Change client secret')
  await person.fill(await secret('Client Secret'), 'hush')
  await person.press('Save client secret')
  await person.closed()
  await person.seeNo('SODA integration is not configured properly.')
  await person.see('https://soda.example.com')
  expect(api.inputs(configurations.update)[1]).toMatchObject({ body: [{ name: 'sodaClientSecret', value: 'hush' }] })
})

test.each([
  ['SODA Integration', 'sodaUrl', 'sodaClientId', 'sodaClientSecret', 'Client Secret'],
  ['Iconik Integration', 'iconikUrl', 'iconikAppId', 'iconik.authtoken', 'Application Token'],
] as const)('%s: the stored secret is entered again for another URL', async (section, url, id, hashed, label) => {
  const stored = { [url]: 'https://first.example.com', [id]: 'di', [hashed]: 'x' }
  const { person, api } = await openTab(section, stored)
  const message = `${label} must be entered again, because it would be sent elsewhere or differently`
  const refused = refuse(
    configurations.update,
    { message: 'Validation errors', subErrors: [{ field: hashed, message }] },
    400,
  )
  await person.press('Edit configurations')
  await person.see('Needed only if the URL changes. Leave it empty to keep it.')
  await person.write('URL', 'https://other.example.com')
  api.answer(refused)
  await person.press('Save configurations')
  await person.see(message)
  api.answer(answer(configurations.update, []))
  await person.fill(await secret(label), 'hush')
  await person.press('Save configurations')
  await person.closed()
  const sent = api.inputs(configurations.update).map(({ body }) => body.map(({ name, value }) => [name, value]))
  expect(sent[0]).toEqual([
    [url, 'https://other.example.com'],
    [id, 'di'],
  ])
  expect(sent[1]).toContainEqual([hashed, 'hush'])
})

test('an agent deletes moved files, unless the transfer service is allowed to', async () => {
  const { person, api } = await openTab('SODA Integration')
  const label = 'Let the transfer service delete moved files'
  const box = async () => (await screen.findByRole<HTMLInputElement>('checkbox', { name: label })).checked
  expect(await box()).toBe(false)
  await person.see('DataIntell does not verify the copies first')
  await person.press(label, 'checkbox')
  await person.see('The configurations were updated.')
  await expect.poll(box).toBe(true)
  const entry = { name: 'sodaDeletesMovedFiles', value: 'true', description: label }
  expect(api.inputs(configurations.update)).toEqual([expect.objectContaining({ body: [entry] })])
})

test.each([
  ['Iconik Integration', 'iconikAgents', 'Agents that list collections and storages of Iconik'],
  ['SODA Integration', 'sodaAgents', 'Agents that list storages and folders of the transfer service'],
] as const)(
  '%s: only the built-in agent gets the secret to list, unless others are selected',
  async (section, name, label) => {
    const { person, api } = await openTab(section, { [name]: '9' }, { others: [{ id: 2, name: 'north' }] })
    const group = within(await screen.findByRole('group', { name: label }))
    const box = (agent: string) => group.findByRole<HTMLInputElement>('checkbox', { name: agent })
    const boxes = async () => (await Promise.all(['Built-in agent', 'north'].map(box))).map(({ checked }) => checked)
    expect((await box('Built-in agent')).disabled).toBe(true)
    expect(await boxes()).toEqual([true, false])
    await person.pressAt(await box('north'))
    await person.see('The configurations were updated.')
    await expect.poll(boxes).toEqual([true, true])
    await person.pressAt(await box('north'))
    await expect.poll(boxes).toEqual([true, false])
    expect(api.inputs(configurations.update).map(({ body }) => body.map(({ name, value }) => [name, value]))).toEqual([
      [[name, '2']],
      [[name, '']],
    ])
  },
)

test('a storage of any kind but archives is mapped to a storage of the transfer service', async () => {
  const { person, api } = await openTab('SODA Integration')
  await person.press('Add path configuration')
  const select = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Storage' })
  await person.choose('Storage', 'Films')
  expect([...select.options].map(({ text }) => text)).toEqual(['Choose a storage', 'Films', 'Cloud'])
  await person.press('Save configuration')
  await person.see('SODA Storage ID must not be empty')
  await person.write('DataIntell Path', '/mnt/films')
  await person.write('SODA Storage ID', 'st-1')
  await person.write('Try a path', '/mnt/films/a.mov')
  await person.see('SODA: /a.mov')
  await person.press('Save configuration')
  await person.see('SODA storage path configuration was created successfully')
  await person.closed()
  expect(api.inputs(sodaMappings.create)).toMatchObject([
    { body: { volumeId: 1, dataintellPath: '/mnt/films', sodaStorageId: 'st-1', sodaPath: '/' } },
  ])
})
