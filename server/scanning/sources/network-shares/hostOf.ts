import { secretWay } from '#events/sources/mountRules.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'

/** Options of a share after those of its credentials, which they override. */
export const joinedOptions = (ofCredentials: string | null | undefined, ofShare: string | null | undefined): string =>
  [ofCredentials, ofShare].filter((some) => some).join(',')

type Use = { id: number; host: string; options: string | null | undefined }

/**
 * The host that the password of stored credentials is sent to, with the port, the security mode and the version of the share's options
 * where they differ from those that the credentials were entered with.
 */
export async function hostOf(trx: Trx, { id, host, options }: Use): Promise<string> {
  const credentials = await trx
    .selectFrom('networkCredentials')
    .select('options')
    .where('id', '=', id)
    .executeTakeFirst()
  const entered = secretWay(credentials?.options ?? '')
  const used = secretWay(joinedOptions(credentials?.options, options))
  const ways = (['sec', 'vers'] as const).filter((name) => used[name] !== entered[name])
  const way = ways.map((name) => `${name}=${used[name]}`).join(' and ')
  return `${host}${used.port === entered.port ? '' : `:${used.port}`}${way && ` with ${way}`}`
}
