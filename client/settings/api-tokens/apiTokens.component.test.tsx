import { screen } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { apiTokens } from '#events/users/apiTokens.ts'
import { today } from '#client/testing/examples.ts'
import { answer, pageWith } from '#client/testing/fakeApi.ts'
import { draw } from '#client/testing/render.tsx'
import { RolesInput } from '#client/parts/roles/RolesInput.tsx'
import { ApiTokensSection } from './ApiTokensSection.tsx'

test('the role Metrics of a token excludes the others, and users do not have it', async () => {
  const answers = [
    answer(apiTokens.list, pageWith([])),
    answer(apiTokens.create, { id: 1, name: 'monitoring', token: 'token-1234', expiresAt: `${today}T10:00:00.000Z` }),
  ]
  const { person, api } = await draw(<ApiTokensSection />, { answers })
  await person.press('Add API token')
  await person.write('Name', 'monitoring')
  await person.press('Project manager', 'checkbox')
  await person.press('Metrics', 'checkbox')
  expect(await person.isDisabled('Project manager', 'checkbox')).toBe(true)
  await person.press('Create token')
  await person.see('This API token is not shown again.')
  expect(api.inputs(apiTokens.create)).toMatchObject([{ body: { name: 'monitoring', roles: ['ROLE_METRICS'] } }])
  await draw(<RolesInput label="Roles" value={[]} onChange={() => {}} disabled={false} />)
  await screen.findByRole('checkbox', { name: 'Project manager' })
  expect(screen.queryByRole('checkbox', { name: 'Metrics' })).toBeNull()
})
