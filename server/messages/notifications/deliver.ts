import { randomUUID } from 'node:crypto'
import { countMail, limitReached } from './emails/addMails.ts'
import { openEnd } from './notifyUser.ts'
import { checkOwn, checkRecipient, otherNotConfirmed, ownNotConfirmed } from './emails/confirmedAddresses.ts'
import { emailServer, isOfDemo, refuseInDemo } from './emails/emailServer.ts'
import { addressesSeeing, currentScopeOf, showsAll } from '#server/platform/callers/scope.ts'
import { sendMail } from '#server/platform/mail/mail.ts'
import { NotSent } from '#server/platform/mail/notSent.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type DueDelivery, filesOf } from './outbox.ts'
import { textWithoutFiles } from './attachFiles.ts'
import { openWebhook, signingKey } from './webhookAddress.ts'
import type { Role } from '#events/contract/needs.ts'
import { formatFor, type WebhookTest } from '#events/notifications/webhooks.ts'
import { postWebhook } from './postWebhook.ts'
import { webhookBodyOf } from './webhookBody.ts'
import { type Config, productName } from '#server/platform/config.ts'

/** Sends one mail or webhook of the outbox to its user's current address. Throws `NotSent` with the reason. */
export async function deliver(platform: Pick<Platform, 'db' | 'config'>, due: DueDelivery): Promise<void> {
  const { key, subject, userId, secret } = due
  const body = secret === null ? due.body : due.body + (await openEnd(platform.config, key, secret))
  const send = async (to: string) => {
    const files = due.bundle === null ? [] : await filesOf(platform.db, due.bundle)
    const server = await emailServer(platform)
    const mail = { to, subject, messageId: key }
    await sendMail(server, { ...mail, text: body, files }).catch((error: unknown) => {
      if (!(error instanceof NotSent && error.isTooLarge) || files.length === 0) throw error
      return sendMail(server, { ...mail, text: textWithoutFiles(body, files) })
    })
  }
  // A policy of an administrator made the address, and the mail shows nothing but its link.
  if (due.address !== null && secret !== null) return send(due.address)
  if (due.address !== null) {
    await checkRecipient(platform.db, due.address)
    if ((await addressesSeeing(platform.db, [due.address], (scope) => showsAll(scope, due.shows))).length === 0)
      refuse()
    return send(due.address)
  }
  // A delivery has one or the other.
  if (userId === null) throw new Error(`The delivery ${key} has no recipient`)
  const user = await platform.db
    .selectFrom('users')
    .select(['email', 'confirmedEmail', 'roles', 'disabledAt'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!user) throw new NotSent(accountDeleted, { permanent: true })
  if (user.disabledAt) throw new NotSent(accountDisabled, { permanent: true })
  if (!showsAll(await currentScopeOf(platform.db, userId), due.shows)) refuse()
  if (due.webhook !== null) {
    refuseInDemo(platform.config)
    const address = await openWebhook(platform.config, userId, due.webhook)
    const { webhookFormat, webhookTemplate, webhookText } = due
    const content = { subject, text: webhookText ?? '', data: body }
    const posted = webhookBodyOf(formatFor(webhookFormat ?? 'JSON', address), webhookTemplate, content)
    const signing = await signingKey(platform.config, address)
    await postWebhook({ ...posted, address, key, signing, roles: user.roles })
    return
  }
  const { email, confirmedEmail } = user
  if (email === null) throw noAddress()
  await checkOwn(platform.db, { email, confirmedEmail })
  await send(email)
}

/** The recipient's limits may have changed since the message was made. */
function refuse(): never {
  throw new NotSent(notSeen, { permanent: true })
}

/** Reasons that concern a user, an address or the demo, not the mail server. */
const accountDisabled = 'Your account is disabled'
const accountDeleted = 'The user was deleted'
const addressMissing = 'You have no email address. Add one in your profile'
const notSeen = 'The recipient sees only some of its projects and storages'
export const otherReasons = [
  notSeen,
  accountDisabled,
  accountDeleted,
  addressMissing,
  isOfDemo,
  ownNotConfirmed,
  otherNotConfirmed,
  limitReached,
]

const noAddress = (): NotSent => new NotSent(addressMissing, { permanent: true })

/** Sends a mail to a user at once; throws 409 with the reason if it can't be sent, and 429 above the user's limit. */
export async function sendTestEmail(platform: Pick<Platform, 'db' | 'config'>, userId: number): Promise<void> {
  const { email, confirmedEmail, name } = await platform.db
    .selectFrom('users')
    .select(['email', 'confirmedEmail', 'name'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (email === null) throw new NotSent('To send a test, add your email address to your profile', { permanent: true })
  await checkOwn(platform.db, { email, confirmedEmail })
  await sendTest(platform, userId, email, name)
}

/** Same to the address of a recipient. */
export async function sendTestMail(
  platform: Pick<Platform, 'db' | 'config'>,
  userId: number,
  to: string,
): Promise<void> {
  await checkRecipient(platform.db, to)
  await sendTest(platform, userId, to)
}

async function sendTest(platform: Pick<Platform, 'db' | 'config'>, userId: number, to: string, name?: string) {
  const server = await emailServer(platform)
  await countMail(platform.db, userId, to)
  await sendMail(server, {
    to,
    subject: `Test email from ${productName}`,
    text: `Hello${name === undefined ? '' : ` ${name}`},\n\nThis is a test email from ${productName}. Your email settings work.\n`,
  })
}

/** Posts an example to a webhook at once; throws 409 with the reason if it is not accepted. */
export async function sendTestWebhook(
  { webhook: address, webhookFormat, webhookTemplate }: WebhookTest,
  roles: readonly Role[],
  config: Config,
): Promise<void> {
  refuseInDemo(config)
  const subject = `Test of a webhook from ${productName}`
  const text = `${productName} can send messages to this webhook.`
  const content = { subject, text, data: JSON.stringify({ test: true, subject, text }) }
  const posted = webhookBodyOf(formatFor(webhookFormat, address), webhookTemplate, content)
  const signing = await signingKey(config, address)
  await postWebhook({ ...posted, address, key: `test-${randomUUID()}`, signing, roles })
}
