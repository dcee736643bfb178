import { SectionList } from '#client/settings/SectionList.tsx'
import { SessionsSection } from './SessionsSection.tsx'
import { UsersSection } from './UsersSection.tsx'

/** Users, and everyone's sessions. */
export const UsersPage = () => (
  <SectionList
    label="Sections of the user settings"
    sections={[
      { id: 'users', title: 'Users', content: <UsersSection /> },
      { id: 'sessions', title: 'Sessions', content: <SessionsSection /> },
    ]}
  />
)
