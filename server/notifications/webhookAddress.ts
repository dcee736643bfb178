import { streamNames } from '#events/streams.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'
import { type SecretPlace, openSecret, sealSecret } from '#server/platform/secrets.ts'

type Config = Platform['config']

/** An address is often as good as a password: it opens for the notifications and deliveries of its user only. */
const placeOf = (userId: number): SecretPlace => ({
  name: `${streamNames.user(userId)}.webhook`,
  called: 'The address of the webhook',
})

export const sealWebhook = async (config: Config, userId: number, address: string | null): Promise<string | null> =>
  address === null ? null : sealSecret(config, placeOf(userId).name, address)

/** Throws 409, in the words of users, when the key of this server does not open it. */
export const openWebhook = (config: Config, userId: number, sealed: string): Promise<string> =>
  openSecret(config, placeOf(userId), sealed)

/** The address as it is shown; one that does not open here is lost, and to be entered again. */
export async function readWebhook(config: Config, userId: number, sealed: string | null) {
  try {
    return { webhook: sealed && (await openWebhook(config, userId, sealed)), isWebhookLost: false }
  } catch (error) {
    if (error instanceof Problem) return { webhook: null, isWebhookLost: true }
    throw error
  }
}

/** Seals the addresses that a version before this one kept as they are, also those that a backup of it brought. */
export async function sealWebhooks({ db, config }: Pick<Platform, 'db' | 'config'>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const table of ['notifications', 'deliveries'] as const) {
      const plain = await trx
        .selectFrom(table)
        .select(['id', 'userId', 'webhook'])
        .where('webhook', 'not like', 'v1.%')
        // Mails alone may be to nobody here.
        .$narrowType<{ userId: number }>()
        .forUpdate()
        .execute()
      for (const { id, userId, webhook: address } of plain) {
        const webhook = await sealWebhook(config, userId, address)
        await trx.updateTable(table).set({ webhook }).where('id', '=', id).execute()
      }
    }
  })
}
