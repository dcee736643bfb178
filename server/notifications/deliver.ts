import { mailServer } from '#server/configurations/index.ts'
import { type MailServer, sendMail } from '#server/platform/mail.ts'
import { NotSent } from '#server/platform/notSent.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Due } from './outbox.ts'
import { postWebhook } from './postWebhook.ts'

/** Sends one mail or webhook of the outbox, to where its user is to be reached by then. Throws `NotSent` with the reason. */
export async function deliver(platform: Pick<Platform, 'db' | 'config'>, due: Due): Promise<void> {
  const user = await platform.db
    .selectFrom('users')
    .select(['email', 'roles', 'disabledAt'])
    .where('id', '=', due.userId)
    .executeTakeFirstOrThrow()
  if (user.disabledAt) throw new NotSent('Your account is disabled', { permanent: true })
  const { key, subject, body } = due
  if (due.webhook !== null) return postWebhook({ address: due.webhook, key, body, roles: user.roles })
  if (user.email === null) throw noAddress()
  await sendMail(await emailServer(platform), { to: user.email, subject, text: body, messageId: key })
}

export const noAddress = (): NotSent =>
  new NotSent('You have no email address; set one on your profile', { permanent: true })

/** The mail server; not one being set up is a reason not to send. */
export async function emailServer(platform: Pick<Platform, 'db' | 'config'>): Promise<MailServer> {
  const server = await mailServer(platform)
  if (!server) throw new NotSent('No mail server is set up')
  return server
}
