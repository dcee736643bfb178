import { isIPv4 } from 'node:net'
import { type ConfigurationName, configurationKeys, type HashedName } from '#events/configurations.ts'
import type { MailSignIn } from '#events/notifications/mailSettings.ts'
import type { MailServer } from '#server/platform/mail/mail.ts'
import type { Platform } from '#server/platform/platform.ts'
import { configuredSecret } from './configured.ts'
import { readStored } from './listConfigurations.ts'

/** The configured mail server; undefined if not configured. */
export async function mailServer(platform: Pick<Platform, 'db' | 'config'>): Promise<MailServer | undefined> {
  const stored = await readStored(platform.db)
  const valueOf = (name: ConfigurationName) => stored.get(name) ?? configurationKeys[name].defaultValue
  const isOn = (name: ConfigurationName) => valueOf(name) === 'true'
  const host = valueOf('spring.mail.host')
  if (host === '') return undefined
  const user = valueOf('spring.mail.username')
  const needsAuth = isOn('spring.mail.properties.mail.smtp.auth')
  return {
    host,
    port: Number(valueOf('spring.mail.port')),
    from: valueOf('spring.mail.from') || (user.includes('@') ? user : `dataintell@${host}`),
    auth: needsAuth ? await signInOf(platform, valueOf) : undefined,
    usesTls: isOn('spring.mail.properties.mail.smtp.starttls.enable'),
    requiresTls: isOn('spring.mail.properties.mail.smtp.starttls.required'),
    ehloName: ehloName(valueOf('spring.mail.properties.mail.smtp.localhost'), valueOf('app.url')),
    beginsWithTls: isOn('spring.mail.properties.mail.smtp.ssl.enable'),
  }
}

async function signInOf(
  platform: Pick<Platform, 'db' | 'config'>,
  valueOf: (name: ConfigurationName) => string,
): Promise<NonNullable<MailServer['auth']>> {
  const secret = async (name: HashedName) => (await configuredSecret(platform, name)) ?? ''
  const user = valueOf('spring.mail.username')
  const provider = valueOf('mailSignIn') as MailSignIn
  if (provider === 'password') return { user, password: await secret('spring.mail.password') }
  const application = {
    provider,
    user,
    host: valueOf('spring.mail.host'),
    tenant: valueOf('mailTenant'),
    clientId: valueOf('mailClientId'),
    secret: await secret(provider === 'google' ? 'mailServiceKey' : 'mailClientSecret'),
    tokenUrl: platform.config.mailTokenUrl,
  }
  return { user, application }
}

/**
 * Name for the mail server's greeting: the setting, otherwise the host of the application URL. Undefined if neither is
 * a full name; many mail servers refuse short names and loopback addresses.
 */
export function ehloName(setting: string, url: string): string | undefined {
  if (setting !== '') return setting
  const host = URL.parse(url)?.hostname ?? ''
  if (isIPv4(host)) return host.startsWith('127.') ? undefined : `[${host}]`
  return host.includes('.') ? host : undefined
}
