import { screen } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { planAction } from '#events/actions/plans.ts'
import { archiwareClients } from '#events/sources/archiwares.ts'
import { targetOfEntries } from '#client/parts/selection/action.ts'
import { answer } from '#client/testing/fakeApi.ts'
import { archiveClient, archived, film, openWizard } from '#client/testing/actions/archiwareWizards.tsx'

test('shows the credentials of clients that are listed twice', async () => {
  const clients = [archiveClient('north'), archiveClient('north', 8, 'Read only')]
  await openWizard('restore', undefined, answer(archiwareClients, clients))
  const select = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Client' })
  expect([...select.options].map(({ text }) => text)).toEqual([
    'Choose a client',
    'north (Tape library)',
    'north (Read only)',
  ])
})

test('without a folder, files are restored to their original path, with a warning', async () => {
  const { person, api } = await openWizard('restore')
  await person.see('1 item (1.00 KiB) is ignored. Only files and folders of Archiware P5 indexes can be restored.')
  expect(await person.isDisabled('Next')).toBe(true)
  await person.choose('Client', 'east')
  await person.press('Next')
  await person.see('Files are restored to their original path on east, since no folder is given.')
  await person.see('Files2')
  const payload = { clientId: 'east', credentialsId: 8, relocate: null, dataIntellPaths: ['/index/old.mov'] }
  expect(api.inputs(planAction)).toMatchObject([{ body: { jobType: 'RESTORE_ARCHIWARE_FILES', payload } }])
})

test('a folder on the client is sent as typed, and makes a new plan', async () => {
  const { person, api } = await openWizard('restore', targetOfEntries([archived], undefined))
  await person.choose('Client', 'north')
  await person.press('Next')
  await person.see('Files2')
  await person.press('Back')
  await person.write('Folder', 'D:\\restored')
  await person.press('Next')
  await person.see('FolderD:\\restored')
  await person.see('Files2')
  await person.seeNo('original path')
  expect(api.inputs(planAction)).toMatchObject([
    { body: { payload: { relocate: null } } },
    { body: { payload: { relocate: 'D:\\restored' } } },
  ])
})

test('files of file storages cannot be restored', async () => {
  const { person } = await openWizard('restore', targetOfEntries([film], undefined))
  await person.see('1 item (1.00 KiB) is ignored.')
  await person.choose('Client', 'north')
  expect(await person.isDisabled('Next')).toBe(true)
})
