import { mailServer } from '#server/access/configurations/index.ts'
import type { Config } from '#server/platform/config.ts'
import type { MailServer } from '#server/platform/mail/mail.ts'
import { NotSent } from '#server/platform/mail/notSent.ts'
import type { Platform } from '#server/platform/platform.ts'

export const isOfDemo = 'This is a demo, which sends no email and no webhooks'

/** Nothing leaves a demo, even if a visitor sets up a mail server. */
export function refuseInDemo({ isDemo }: Pick<Config, 'isDemo'>): void {
  if (isDemo) throw new NotSent(isOfDemo, { permanent: true })
}

/** The mail server; throws `NotSent` if none is configured. */
export async function emailServer(platform: Pick<Platform, 'db' | 'config'>): Promise<MailServer> {
  refuseInDemo(platform.config)
  const server = await mailServer(platform)
  if (!server) throw new NotSent('No mail server is set up')
  return server
}
