import { screen, waitFor } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { priceBooks } from '#events/price-books.ts'
import { bucketCheck } from '#events/sources/bucketQuestion.ts'
import { bucketCredentials, bucketNames } from '#events/sources/buckets.ts'
import { answer, pageWith } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import { credentialOf, emptyDataTab, priceBookOf } from '#client/settings/testing.ts'

const cloud = priceBookOf({ description: 'Cloud', currencySymbol: '$', price: 0.3, classPrices: [] }, 1)
const studio = credentialOf({ name: 'Studio', type: 'OTHER', url: 'http://127.0.0.1:9' }, 1)
const amazon = credentialOf({ name: 'Amazon', type: 'S3', url: '' }, 2)

/** Opens the wizard for a bucket of a provider. */
async function openWizard(provider: string) {
  const opened = await open('/storages?add=storage', {
    answers: [
      ...emptyDataTab,
      answer(bucketCredentials.list, pageWith([studio, amazon])),
      answer(priceBooks.list, pageWith([cloud])),
      answer(bucketNames, ['films', 'rushes']),
    ],
  })
  await opened.person.press(/^Amazon S3/)
  await opened.person.choose('Cloud', provider)
  return opened
}
const valueOf = (field: HTMLElement) => (field as HTMLInputElement).value

test('wrong credentials are reported at their field on Next, and the bucket is tried before the next step', async () => {
  const { person, api } = await openWizard('Custom S3')
  const wrongSecret = 'The Secret access key does not belong to the Access key ID'
  api.answer(answer(bucketCheck, { reason: wrongSecret, field: 'credentials' }))
  await person.choose('Credentials', 'Studio')
  await person.press('Next')
  await person.see(wrongSecret)
  const credentials = screen.getByRole('combobox', { name: 'Credentials' })
  expect(credentials.getAttribute('aria-invalid')).toBe('true')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(api.inputs(bucketCheck)).toMatchObject([{ body: { awsCredentialsId: 1, name: '', path: '' } }])
  api.answer(
    answer(bucketCheck, ({ body }) => ({
      reason: body.name === 'films' ? 'Custom S3 has no bucket films' : null,
      field: body.name === 'films' ? ('name' as const) : null,
    })),
  )
  await person.press('Next')
  const name = () => screen.getByRole('combobox', { name: 'Bucket Name' })
  await waitFor(() => expect(valueOf(name())).toBe('films'))
  await person.press('Next')
  await person.see('Custom S3 has no bucket films')
  expect(name().getAttribute('aria-invalid')).toBe('true')
  await screen.findByRole('button', { name: 'Continue anyway' })
  await person.fill(name(), 'rushes')
  await person.press('Next')
  await person.choose('Price Book', 'Cloud')
})

test('a bucket in another region opens the step with the region', async () => {
  const { person, api } = await openWizard('Amazon S3')
  const elsewhere = 'The bucket films is elsewhere (eu-west-1), not in the region us-east-1'
  api.answer(
    answer(bucketCheck, ({ body }) => ({
      reason: body.name === '' ? null : elsewhere,
      field: body.name === '' ? null : ('region' as const),
    })),
  )
  await person.choose('Credentials', 'Amazon')
  await person.fill(screen.getByRole('combobox', { name: 'Region' }), 'us-east-1')
  await person.press('Next')
  const name = await screen.findByRole('combobox', { name: 'Bucket Name' })
  await waitFor(() => expect(valueOf(name)).toBe('films'))
  await person.press('Next')
  await person.see(elsewhere)
  expect(screen.getByRole('combobox', { name: 'Region' }).getAttribute('aria-invalid')).toBe('true')
})
