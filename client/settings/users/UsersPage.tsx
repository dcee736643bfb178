import { useRemote } from '#client/app/remote.ts'
import { ConfigurationSection } from '#client/settings/system/ConfigurationSection.tsx'
import { signInRows } from '#client/settings/system/configurationRows.ts'
import { configurations } from '#events/configurations.ts'
import { SectionList } from '#client/settings/SectionList.tsx'
import { SessionsSection } from './SessionsSection.tsx'
import { UsersSection } from './UsersSection.tsx'

/** Users, the rules of their sign-in, and everyone's sessions. */
export function UsersPage() {
  const remote = useRemote(configurations.list, {})
  return (
    <SectionList
      label="Sections of the user settings"
      sections={[
        { id: 'users', title: 'Users', content: <UsersSection /> },
        {
          id: 'sign-in',
          title: 'Sign-in',
          content: <ConfigurationSection title="Sign-in" rows={signInRows} remote={remote} />,
        },
        { id: 'sessions', title: 'Sessions', content: <SessionsSection /> },
      ]}
    />
  )
}
