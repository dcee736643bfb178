/** Pages of the settings in the order of their tabs, with their addresses. */
export const settingsPages = {
  system: { title: 'System', path: '/settings' },
  mail: { title: 'Mail', path: '/settings/mail' },
  users: { title: 'Users', path: '/settings/users' },
  tokens: { title: 'Tokens', path: '/settings/tokens' },
  walls: { title: 'Walls', path: '/settings/walls' },
  data: { title: 'Data', path: '/settings/data' },
  schedules: { title: 'Schedules', path: '/settings/schedules' },
  jobs: { title: 'Jobs', path: '/settings/jobs' },
} as const

export type SettingsPageName = keyof typeof settingsPages
export const settingsPageNames = Object.keys(settingsPages) as SettingsPageName[]

/** Pages by the names that they had in earlier versions. */
const earlierNames = new Map<string | undefined, SettingsPageName>([
  ['general', 'system'],
  ['email', 'mail'],
])

/** Sections of the former page General that are on pages of their own, by the anchor in the URL. */
const movedSections = new Map<string, SettingsPageName>([
  ['email', 'mail'],
  ['users', 'users'],
  ['sessions', 'users'],
  ['api-tokens', 'tokens'],
  ['wall-displays', 'walls'],
])

/** Sections of the former page Data that are settings of storages now. */
const storageSections = ['file-storage', 'object-storage', 'dell-powerscale']

/** Tab of the storages that an address of an earlier version leads to; undefined for other addresses. */
export function movedToStorages(name: string | undefined, anchor: string): 'overview' | 'settings' | undefined {
  if (name === 'storage' || (name === 'data' && anchor === 'storages')) return 'overview'
  return name === 'data' && storageSections.includes(anchor) ? 'settings' : undefined
}

/**
 * Page that an address of an earlier version leads to; undefined for current addresses. `name` is the part after
 * `/settings/`, `anchor` the one after `#`.
 */
export function movedTo(name: string | undefined, anchor: string): SettingsPageName | undefined {
  const isFormerGeneral = name === undefined || name === 'general'
  const bySection = isFormerGeneral ? movedSections.get(anchor) : undefined
  return bySection ?? (name === 'system' ? 'system' : earlierNames.get(name))
}
