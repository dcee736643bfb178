import { streamNames } from '#events/streams.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'
import { keyFor, type SecretPlace, openSecret, sealSecret } from '#server/platform/secrets.ts'

type Config = Platform['config']

/**
 * An address is often as good as a password: it can only be opened for the notifications and deliveries of its user.
 */
const placeOf = (userId: number): SecretPlace => ({
  name: `${streamNames.user(userId)}.webhook`,
  called: 'The address of the webhook',
})

export const sealWebhook = async (config: Config, userId: number, address: string | null): Promise<string | null> =>
  address === null ? null : sealSecret(config, placeOf(userId).name, address)

/** Throws 409, with a message for users, if this server's key doesn't open it. */
export const openWebhook = (config: Config, userId: number, sealed: string): Promise<string> =>
  openSecret(config, placeOf(userId), sealed)

/** Key of the signatures of all webhooks to an address. Each receiver has another one, so none can sign for others. */
export const signingKey = (config: Config, address: string): Promise<Buffer> =>
  keyFor(config, JSON.stringify(['webhooks', new URL(address).href]))

/** The address for display; if it can't be opened here, it is lost and must be entered again. */
export async function readWebhook(config: Config, userId: number, sealed: string | null) {
  try {
    return { webhook: sealed && (await openWebhook(config, userId, sealed)), isWebhookLost: false }
  } catch (error) {
    if (error instanceof Problem) return { webhook: null, isWebhookLost: true }
    throw error
  }
}

/** Seals addresses stored in plain text by an earlier version, also those from its backups. */
export async function sealWebhooks({ db, config }: Pick<Platform, 'db' | 'config'>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const table of ['notifications', 'channels', 'deliveries'] as const) {
      const plain = await trx
        .selectFrom(table)
        .select(['id', 'userId', 'webhook'])
        .where('webhook', 'not like', 'v1.%')
        // Only mails may have no user.
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
