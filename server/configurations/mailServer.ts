import { isIPv4 } from 'node:net'
import { type ConfigurationName, configurationKeys } from '#events/configurations.ts'
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
  const password = needsAuth ? ((await configuredSecret(platform, 'spring.mail.password')) ?? '') : ''
  return {
    host,
    port: Number(valueOf('spring.mail.port')),
    from: valueOf('spring.mail.from') || (user.includes('@') ? user : `dataintell@${host}`),
    auth: needsAuth ? { user, password } : undefined,
    usesTls: isOn('spring.mail.properties.mail.smtp.starttls.enable'),
    requiresTls: isOn('spring.mail.properties.mail.smtp.starttls.required'),
    ehloName: ehloName(valueOf('spring.mail.properties.mail.smtp.localhost'), valueOf('app.url')),
    beginsWithTls: isOn('spring.mail.properties.mail.smtp.ssl.enable'),
  }
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
