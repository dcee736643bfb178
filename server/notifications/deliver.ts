import { randomUUID } from 'node:crypto'
import { mailServer } from '#server/configurations/index.ts'
import { type MailServer, sendMail } from '#server/platform/mail/mail.ts'
import { NotSent } from '#server/platform/mail/notSent.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type DueDelivery, filesOf } from './outbox.ts'
import { textWithoutFiles } from './attachFiles.ts'
import { openWebhook } from './webhookAddress.ts'
import type { Role } from '#events/contract/needs.ts'
import { formatFor, type WebhookTest } from '#events/notifications/webhooks.ts'
import { postWebhook } from './postWebhook.ts'
import { webhookBodyOf } from './webhookBody.ts'
import { type Config, productName } from '#server/config.ts'

/** Sends one mail or webhook of the outbox to its user's current address. Throws `NotSent` with the reason. */
export async function deliver(platform: Pick<Platform, 'db' | 'config'>, due: DueDelivery): Promise<void> {
  const { key, subject, body, userId } = due
  const send = async (to: string) => {
    const files = due.bundle === null ? [] : await filesOf(platform.db, due.bundle)
    const server = await emailServer(platform)
    const mail = { to, subject, messageId: key }
    await sendMail(server, { ...mail, text: body, files }).catch((error: unknown) => {
      if (!(error instanceof NotSent && error.isTooLarge) || files.length === 0) throw error
      return sendMail(server, { ...mail, text: textWithoutFiles(body, files) })
    })
  }
  if (due.address !== null) return send(due.address)
  // A delivery has one or the other.
  if (userId === null) throw new Error(`The delivery ${key} has no recipient`)
  const user = await platform.db
    .selectFrom('users')
    .select(['email', 'roles', 'disabledAt'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (user.disabledAt) throw new NotSent(accountDisabled, { permanent: true })
  if (due.webhook !== null) {
    refuseInDemo(platform.config)
    const address = await openWebhook(platform.config, userId, due.webhook)
    const { webhookFormat, webhookTemplate, webhookText } = due
    const content = { subject, text: webhookText ?? '', data: body }
    const posted = webhookBodyOf(formatFor(webhookFormat ?? 'JSON', address), webhookTemplate, content)
    return postWebhook({ ...posted, address, key, roles: user.roles })
  }
  if (user.email === null) throw noAddress()
  await send(user.email)
}

/** Reasons that concern a user or the demo, not the mail server. */
const accountDisabled = 'Your account is disabled'
const addressMissing = 'You have no email address. Add one in your profile'
const isOfDemo = 'This is a demo, which sends no email and no webhooks'
export const otherReasons = [accountDisabled, addressMissing, isOfDemo]

const noAddress = (): NotSent => new NotSent(addressMissing, { permanent: true })

/** Nothing leaves a demo, even if a visitor sets up a mail server. */
function refuseInDemo({ isDemo }: Pick<Config, 'isDemo'>): void {
  if (isDemo) throw new NotSent(isOfDemo, { permanent: true })
}

/** The mail server; throws `NotSent` if none is configured. */
async function emailServer(platform: Pick<Platform, 'db' | 'config'>): Promise<MailServer> {
  refuseInDemo(platform.config)
  const server = await mailServer(platform)
  if (!server) throw new NotSent('No mail server is set up')
  return server
}

/** Sends a mail to a user at once; throws 409 with the reason if it can't be sent. */
export async function sendTestEmail(platform: Pick<Platform, 'db' | 'config'>, userId: number): Promise<void> {
  const { email, name } = await platform.db
    .selectFrom('users')
    .select(['email', 'name'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (email === null) throw new NotSent('To send a test, add your email address to your profile', { permanent: true })
  await sendTestMail(platform, email, name)
}

/** Same to an address, with the name of its user if it is one. */
export async function sendTestMail(
  platform: Pick<Platform, 'db' | 'config'>,
  to: string,
  name?: string,
): Promise<void> {
  await sendMail(await emailServer(platform), {
    to,
    subject: `Test email from ${productName}`,
    text: `Hello${name === undefined ? '' : ` ${name}`},\n\nThis is a test email from ${productName}. Your email settings work.\n`,
  })
}

/** Posts an example to a webhook at once; throws 409 with the reason if it is not accepted. */
export async function sendTestWebhook(
  { webhook: address, webhookFormat, webhookTemplate }: WebhookTest,
  roles: readonly Role[],
  config: Pick<Config, 'isDemo'>,
): Promise<void> {
  refuseInDemo(config)
  const subject = `Test of a webhook from ${productName}`
  const text = `${productName} can send messages to this webhook.`
  const content = { subject, text, data: JSON.stringify({ test: true, subject, text }) }
  const posted = webhookBodyOf(formatFor(webhookFormat, address), webhookTemplate, content)
  await postWebhook({ ...posted, address, key: `test-${randomUUID()}`, roles })
}
