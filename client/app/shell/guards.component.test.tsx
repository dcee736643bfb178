import { screen } from '@testing-library/dom'
import { expect, test } from 'vitest'
import {
  type Bundle,
  bundles,
  lockedMessages,
  may,
  type Needs,
  needs,
  type Role,
  roles,
} from '#events/contract/needs.ts'
import { draw } from '#client/testing/render.tsx'
import { BundleGuard } from './BundleGuard.tsx'
import { RoleGuard } from './RoleGuard.tsx'

const all = Object.keys(needs) as Needs[]
const roleSets: [string, readonly Role[]][] = [
  ['no role', []],
  ...roles.map((role): [string, Role[]] => [role, [role]]),
]

test.each(roleSets)('actions that a user with %s may not do are hidden', async (_, held) => {
  await draw(
    <ul aria-label="Actions">
      {all.map((what) => (
        <RoleGuard key={what} needs={what}>
          <li>{what}</li>
        </RoleGuard>
      ))}
    </ul>,
    { roles: held, user: { isManager: true } },
  )
  await screen.findByRole('list', { name: 'Actions' })
  const shown = screen.queryAllByRole('listitem').map(({ textContent }) => textContent)
  expect(shown).toEqual(all.filter((what) => may(held, what)))
})

const licenses: [string, readonly Bundle[]][] = [
  ['no bundle', []],
  ...bundles.map((bundle): [string, Bundle[]] => [bundle, [bundle]]),
  ['all bundles', bundles],
]
test.each(licenses)('with %s, features of other bundles are dimmed, with a way to get them', async (_, licensed) => {
  const { person } = await draw(
    <>
      {bundles.map((bundle) => (
        <BundleGuard key={bundle} bundle={bundle}>
          <button>{bundle}</button>
        </BundleGuard>
      ))}
    </>,
    { bundles: licensed, user: { supportUrl: 'https://support.example.com/' } },
  )
  await person.see(bundles[0])
  const locked = bundles.filter((bundle) => !licensed.includes(bundle))
  for (const bundle of bundles) {
    const isLocked = locked.includes(bundle)
    expect(screen.getByText(bundle).closest('[inert]') !== null).toBe(isLocked)
    expect(screen.queryByText(lockedMessages[bundle]) !== null).toBe(isLocked)
  }
  const links = screen.queryAllByRole<HTMLAnchorElement>('link', { name: 'Contact Support' })
  expect(links.map(({ href }) => href)).toEqual(locked.map(() => 'https://support.example.com/'))
})
