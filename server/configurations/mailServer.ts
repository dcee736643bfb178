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
    beginsWithTls: isOn('spring.mail.properties.mail.smtp.ssl.enable'),
  }
}
