import { screen } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { bucketCredentials } from '#events/sources/buckets.ts'
import { dropboxLink } from '#events/sources/dropbox.ts'
import { answer, tableOf } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import { credentialOf, emptyDataTab } from '#client/settings/testing.ts'

test('credentials of the role of an agent ask for no keys', async () => {
  const { person, api } = await open('/settings/data', {
    answers: [
      ...emptyDataTab,
      ...tableOf(bucketCredentials, [], { rowOf: credentialOf }),
      answer(dropboxLink, { url: null }),
    ],
  })
  await person.press('Object Storage')
  await person.press('Add a new storage type')
  await person.press(/Cloud provider service/)
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
