import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { bucketCredentialCheck } from '#events/sources/bucketQuestion.ts'
import { bucketCredentials } from '#events/sources/buckets.ts'
import { dropboxLink } from '#events/sources/dropbox.ts'
import { answer, tableOf } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import { credentialOf, emptyDataTab } from '#client/settings/testing.ts'

test('credentials of the role of an agent ask for no keys', async () => {
  const { person, api } = await open('/storages/settings', {
    answers: [
      ...emptyDataTab,
      ...tableOf(bucketCredentials, [], { rowOf: credentialOf }),
      answer(dropboxLink, { url: null }),
    ],
  })
  await person.press('Object Storage')
  await person.press('Add storage')
  await person.press(/^Amazon S3/)
  await person.choose('Cloud', 'Amazon S3')
  await person.press('New credentials')
  await person.choose('Sign in with', "The agent's own role")
  await person.see(
    'The agent uses the role that Amazon gives its EC2 instance, ECS task or EKS pod. No keys are stored.',
  )
  expect(screen.queryByLabelText(/Access key ID|Secret access key|Session token/)).toBeNull()
  await person.write('Name', 'Instance')
  await person.press('Create credentials')
  await person.see('Object Storage credentials was created successfully')
  expect(api.inputs(bucketCredentials.create).map(({ body }) => body)).toEqual([
    { name: 'Instance', type: 'S3', signIn: 'role', accessKey: '', privateKey: '', sessionToken: '', url: '' },
  ])
})

const reason = 'Amazon S3 does not know this Access key ID'
const openSection = async (...rows: Parameters<typeof credentialOf>[0][]) => {
  const opened = await open('/storages/settings', {
    answers: [
      ...emptyDataTab,
      ...tableOf(
        bucketCredentials,
        rows.map((row, at) => credentialOf(row, at + 1)),
        { rowOf: credentialOf },
      ),
      answer(bucketCredentialCheck, { reason, field: 'credentials' }),
    ],
  })
  await opened.person.press('Object Storage')
  return opened
}
const dialog = () => within(screen.getByRole('dialog'))
const field = (label: string) => dialog().getByLabelText(label, { selector: 'input' })

test('keys are tried before they are saved, and a link saves them anyway', async () => {
  const { person, api } = await openSection()
  const section = within(document.querySelector<HTMLElement>('#object-storage')!)
  await person.pressAt(await section.findByRole('button', { name: 'Add credentials' }))
  await person.fill(field('Name'), 'Studio')
  await person.fill(field('Access key ID'), 'AKIA1')
  await person.fill(field('Secret access key'), 'secret')
  await person.pressAt(dialog().getByRole('button', { name: 'Add credentials' }))
  const root = () => field('Access key ID').closest('.mantine-PasswordInput-root')
  await waitFor(() => expect(root()?.textContent).toContain(reason))
  await waitFor(() => expect(document.activeElement).toBe(field('Access key ID')))
  expect(api.inputs(bucketCredentialCheck)).toMatchObject([
    { body: { id: null, draft: { type: 'S3', accessKey: 'AKIA1', privateKey: 'secret' } } },
  ])
  expect(api.inputs(bucketCredentials.create)).toEqual([])
  await person.press('Save anyway')
  await person.see('Object Storage credentials was created successfully')
  await person.closed()
})

test('a new name needs no try, new keys do, with the stored ones where they stay', async () => {
  const { person, api } = await openSection({ name: 'Studio', type: 'OTHER', url: 'https://s3.example.com' })
  await person.press('Edit credentials Studio')
  await person.fill(field('Name'), 'Archive')
  await person.press('Save credentials')
  await person.see('Object Storage credentials was updated successfully')
  expect(api.inputs(bucketCredentialCheck)).toEqual([])
  await person.closed()
  await person.press('Edit credentials Archive')
  await person.fill(field('URL'), 'https://s3.studio.example')
  api.answer(answer(bucketCredentialCheck, { reason: 'No answer', field: 'host' }))
  await person.press('Save credentials')
  await waitFor(() => expect(field('URL').getAttribute('aria-invalid')).toBe('true'))
  expect(api.inputs(bucketCredentialCheck)).toMatchObject([
    { body: { id: 1, draft: { accessKey: null, privateKey: null, url: 'https://s3.studio.example' } } },
  ])
})
