import { Link } from 'wouter'
import { mailState } from '#events/notifications/channels.ts'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import { Warning } from '#client/ui/feedback/Warning.tsx'

/** Warns that no email can be sent, with a link to the setting for administrators. Waits until that is known, like a card. */
export function NoMailServer() {
  const links = useLinks()
  const { data, loading } = useRemote(mailState, {}, 'configurations')
  if (!data && loading) return <span data-waiting hidden />
  if (!data || data.isSetUp) return null
  return (
    <Warning>
      No mail server is set up, so no emails are sent.{' '}
      <RoleGuard needs="settings.edit" otherwise="Ask an administrator to set one up.">
        <Link href={links.settings('mail')}>Set up a mail server</Link>
      </RoleGuard>
    </Warning>
  )
}
