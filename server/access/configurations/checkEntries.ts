import { type ConfigurationName, configurationKeys, isHashed, secretDestinations } from '#events/configurations.ts'
import { readInput } from '#events/contract/input.ts'
import type { SubError } from '#events/contract/problem.ts'
import { isElsewhere } from '#server/platform/crud/boundSecrets.ts'
import { validationErrors } from '#server/platform/problem.ts'
import type { Config } from '#server/platform/config.ts'
import { defaultOf, type StoredValues } from './listConfigurations.ts'

/** The changed entries and their new values in stored form. */
export type Changes = ReadonlyMap<ConfigurationName, string>

const auth = 'spring.mail.properties.mail.smtp.auth'
const username = 'spring.mail.username'

/**
 * Returns the entries that change something. Checks them, alone and together with the unchanged ones, and throws all
 * errors at once. A given secret counts as changed.
 */
export function checkEntries(
  given: { name: ConfigurationName; value: string }[],
  stored: StoredValues,
  config: Config,
): Changes {
  const valueOf = (name: ConfigurationName) => stored.get(name) ?? defaultOf(config, name)
  const changes = new Map<ConfigurationName, string>()
  const wrong: SubError[] = []
  for (const { name, value } of given) {
    if (changes.has(name)) wrong.push({ field: name, message: 'Value must be given once' })
    if (!isHashed(name) && value === valueOf(name)) continue
    const { data, subErrors } = readInput(configurationKeys[name].check, value)
    if (subErrors) wrong.push({ field: name, message: subErrors[0]?.message ?? 'Value is wrong' })
    else if (isHashed(name) || data !== valueOf(name)) changes.set(name, data)
  }
  if (lacksUsername(changes, valueOf)) wrong.push({ field: username, message: "Username can't be empty" })
  for (const secret of movedSecrets(changes, valueOf, config))
    wrong.push({ field: secret, message: enterAgain(secret) })
  if (wrong.length > 0) throw validationErrors(wrong)
  return changes
}

/** A complete sentence. */
const enterAgain = (secret: ConfigurationName): string =>
  `${configurationKeys[secret].description} must be entered again, because it would be sent elsewhere or differently`

/** Secrets that would stay although their address changes. */
const movedSecrets = (
  changes: Changes,
  valueOf: (name: ConfigurationName) => string,
  config: Config,
): ConfigurationName[] =>
  (Object.keys(secretDestinations) as (keyof typeof secretDestinations)[]).flatMap((secret) => {
    const addresses: readonly ConfigurationName[] = secretDestinations[secret]
    const valuesOf = (get: (name: ConfigurationName) => string) =>
      Object.fromEntries(addresses.map((name) => [name, get(name)]))
    const isMoved = isElsewhere(
      valuesOf(valueOf),
      // The default applies while an entry is empty.
      valuesOf((name) => (changes.get(name) ?? valueOf(name)) || defaultOf(config, name)),
    )
    const [first] = addresses
    // A secret that was entered before its first address may go there.
    if (first === undefined || valueOf(first) === '') return []
    return isMoved && valueOf(secret) !== '' && !changes.has(secret) ? [secret] : []
  })

/**
 * Reported for changes of the host, the username, or the switch that requires one: the others may be set in any order.
 */
function lacksUsername(changes: Changes, valueOf: (name: ConfigurationName) => string): boolean {
  const then = (name: ConfigurationName) => changes.get(name) ?? valueOf(name)
  const isAbout = ([auth, username, 'spring.mail.host'] as const).some((name) => changes.has(name))
  return isAbout && then(auth) === 'true' && then(username) === ''
}
