import { type ConfigurationEntry, configurationKeys } from '#events/configurations.ts'

/** Value of a setting, or its default. */
export const valueOf = (entries: ConfigurationEntry[], name: 'isBetaActive' | 'isPerformanceModeActive'): string =>
  entries.find((entry) => entry.name === name)?.value ?? configurationKeys[name].defaultValue
