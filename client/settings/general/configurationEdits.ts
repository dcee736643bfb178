import { type ConfigurationEntry, type ConfigurationName, configurationKeys } from '#events/configurations.ts'

/** Values of the configuration by name; what is hashed has none. */
export type Values = Record<ConfigurationName, string>

export const valuesOf = (entries: readonly ConfigurationEntry[]): Values =>
  Object.fromEntries(entries.map(({ name, value }) => [name, value ?? ''])) as Values

/** What was edited and now differs from what is kept. */
export const changesOf = (kept: Values, edits: Partial<Values>, names: readonly ConfigurationName[]) =>
  names.flatMap((name) => {
    const value = edits[name]
    return value === undefined || value === kept[name] ? [] : [{ name, value }]
  })

/** What is wrong with a value, in the server's words; the others are what they would be beside it. */
export function problemOf(name: ConfigurationName, values: Values): string | undefined {
  const value = values[name]
  const mustSignIn = values['spring.mail.properties.mail.smtp.auth'] === 'true'
  if (name === 'spring.mail.username' && mustSignIn && value.trim() === '') return "Username can't be empty"
  const read = configurationKeys[name].check.safeParse(value)
  return read.success ? undefined : read.error.issues[0]?.message
}
