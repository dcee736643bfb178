import type { linksAt } from '#client/app/links.ts'

type Links = ReturnType<typeof linksAt>

/** Pressing `g`, then a letter, opens a screen. */
export const screenKeys = {
  d: { screen: 'Dashboard', to: (links: Links) => links.dashboard() },
  o: { screen: 'Storages', to: (links: Links) => links.storages() },
  f: { screen: 'File Management', to: (links: Links) => links.fileManagement() },
  c: { screen: 'Comparison', to: (links: Links) => links.comparison() },
  p: { screen: 'Projects', to: (links: Links) => links.projects() },
  r: { screen: 'Reports', to: (links: Links) => links.reports() },
  s: { screen: 'Search', to: (links: Links) => links.search() },
  j: { screen: 'Jobs', to: (links: Links) => links.jobs() },
  a: { screen: 'Alerts', to: (links: Links) => links.alerts() },
  t: { screen: 'Settings', to: (links: Links) => links.settings() },
} as const

export const screenOf = (letter: string): (typeof screenKeys)[keyof typeof screenKeys] | undefined =>
  Object.hasOwn(screenKeys, letter) ? screenKeys[letter as keyof typeof screenKeys] : undefined

const isApple = /mac|iphone|ipad/i.test(navigator.userAgent)
export const paletteKeys = [isApple ? '⌘' : 'Ctrl', 'K']

type KeyDescription = { keys: string[]; description: string }

/** All keyboard shortcuts with descriptions. */
export const keyDescriptions: { title: string; keys: KeyDescription[] }[] = [
  {
    title: 'Everywhere',
    keys: [
      { keys: paletteKeys, description: 'Commands' },
      { keys: ['/'], description: 'Search' },
      { keys: ['['], description: 'Older snapshot' },
      { keys: [']'], description: 'Newer snapshot' },
      { keys: ['?'], description: 'Help for this screen' },
      { keys: ['Esc'], description: 'Close, then clear the selection' },
    ],
  },
  {
    title: 'Go to',
    keys: Object.entries(screenKeys).map(([letter, { screen }]) => ({ keys: ['g', letter], description: screen })),
  },
  {
    title: 'In lists and trees',
    keys: [
      { keys: ['j'], description: 'Next row' },
      { keys: ['k'], description: 'Previous row' },
      { keys: ['x'], description: 'Select the row' },
      { keys: ['Enter'], description: 'Open the row' },
      { keys: ['a'], description: 'Add a storage, in Storages' },
      { keys: ['m'], description: 'Map of the folder, in File Management' },
    ],
  },
  {
    title: 'In conditions',
    keys: [
      { keys: ['Alt', '↑'], description: 'Move up' },
      { keys: ['Alt', '↓'], description: 'Move down' },
      { keys: ['Ctrl', 'Z'], description: 'Undo' },
      { keys: ['Ctrl', 'Shift', 'Z'], description: 'Redo' },
    ],
  },
]
