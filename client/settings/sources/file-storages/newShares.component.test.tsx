import { screen, waitFor } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { priceBooks } from '#events/price-books.ts'
import { scanVolumes } from '#events/scans/calls.ts'
import { type FolderCheck, folderCheck } from '#events/sources/folderCheck.ts'
import {
  type NetworkCredential,
  type NetworkCredentialDraft,
  networkCredentials,
  networkShares,
} from '#events/sources/networkShares.ts'
import { answer, type FakeAnswer, pageWith, tableOf } from '#client/testing/fakeApi.ts'
import { open, type OpenedPage } from '#client/testing/render.tsx'
import { emptyDataTab, fineFolder } from '#client/settings/testing.ts'

type Person = OpenedPage['person']
const unmounted: FolderCheck = { ...fineFolder, reason: 'nas does not answer' }
const credentialOf = ({ password: _, ...draft }: NetworkCredentialDraft, id: number): NetworkCredential => ({
  ...draft,
  id,
  isPasswordLost: false,
})
const editors = credentialOf({ name: 'Editors', username: 'ana', password: null, domain: '', options: '' }, 1)

/** Opens the wizard for an SMB share. */
async function openWizard(credentials: NetworkCredential[] = [], ...answers: FakeAnswer[]) {
  const opened = await open('/storages/settings', {
    answers: [
      ...emptyDataTab,
      ...tableOf(networkCredentials, credentials, { rowOf: credentialOf }),
      answer(priceBooks.list, pageWith([])),
      answer(folderCheck, unmounted),
      answer(scanVolumes, { jobId: 3 }),
      ...answers,
    ],
  })
  await opened.person.press('Add storage')
  await opened.person.press(/^SMB share/)
  return opened
}
const fill = async (person: Person, fields: Record<string, string>) => {
  for (const [field, text] of Object.entries(fields)) await person.write(field, text)
}
const password = () => screen.getByLabelText('Password', { selector: 'input' })

test('a message below a field waits for the release of the mouse, so that no click is lost', async () => {
  const { person } = await openWizard()
  const host = await screen.findByRole('textbox', { name: 'Host' })
  host.focus()
  host.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
  host.blur()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(document.body.textContent).not.toContain("Host can't be empty")
  window.dispatchEvent(new PointerEvent('pointerup'))
  await person.see("Host can't be empty")
})

test('a user name and password are checked with the share, and stored once it is saved', async () => {
  const wrong = { ...unmounted, field: 'credentials', reason: 'The user name or the password is wrong' } as const
  const { person, api } = await openWizard([{ ...editors, name: 'ana on nas' }], answer(folderCheck, wrong))
  api.answer(answer(networkShares.create, { id: 1 }))
  await fill(person, { Host: 'nas', 'Share Name': 'media', Username: 'STUDIO\\ana' })
  await person.fill(password(), 'wrong')
  await person.press('Next')
  await waitFor(() => expect(password().getAttribute('aria-invalid')).toBe('true'))
  await person.see('The user name or the password is wrong')
  expect(api.inputs(folderCheck).at(-1)?.body).toMatchObject({
    share: { networkVolumeCredential: null, signIn: { username: 'ana', password: 'wrong', domain: 'STUDIO' } },
  })
  expect(api.inputs(networkCredentials.create)).toEqual([])
  api.answer(answer(folderCheck, fineFolder))
  await person.fill(password(), 'right')
  await person.press('Save')
  await person.see('media was added')
  await person.closed()
  expect(api.inputs(networkCredentials.create).map(({ body }) => body)).toEqual([
    { name: 'ana on nas 2', username: 'ana', password: 'right', domain: 'STUDIO', options: '' },
  ])
  const [{ body: sent } = { body: undefined }] = api.inputs(networkShares.create)
  expect(sent).toMatchObject({ dataintellName: 'media', networkVolumeCredential: { id: 2 } })
  expect(JSON.stringify(sent)).not.toContain('right')
})

test('a canceled wizard asks about the credentials that it created', async () => {
  const { person, api } = await openWizard()
  await person.press('New credentials')
  await fill(person, { Name: 'Wrong', Username: 'ana' })
  await person.fill(password(), 'a password{Enter}')
  await person.see('On-Premises credentials was created successfully')
  await person.press('Cancel')
  await person.see('No storage was added, and 1 new credential would remain unused.')
  await person.press('Delete credentials')
  await person.closed()
  await waitFor(() => expect(api.inputs(networkCredentials.remove)).toMatchObject([{ params: { id: 1 } }]))
})
