import { productName } from '#server/config.ts'
import { sendMail } from '#server/platform/mail.ts'
import type { Platform } from '#server/platform/platform.ts'
import { emailServer, noAddress } from './deliver.ts'

/** Sends a mail to a user at once; throws 409 with the reason when it cannot be sent. */
export async function sendTestEmail(platform: Pick<Platform, 'db' | 'config'>, userId: number): Promise<void> {
  const { email, name } = await platform.db
    .selectFrom('users')
    .select(['email', 'name'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (email === null) throw noAddress()
  await sendMail(await emailServer(platform), {
    to: email,
    subject: `[${productName}] Test of the email configurations`,
    text: `Hello ${name},\n\nthis mail shows that ${productName} can send mails to you.\n`,
  })
}
