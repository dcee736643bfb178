import type { linksAt } from '#client/app/links.ts'

type Links = ReturnType<typeof linksAt>

/** Pressing `g`, then a letter, opens a screen. */
export const screenKeys = {
  d: { screen: 'Dashboard', to: (links: Links) => links.dashboard() },
  f: { screen: 'File Management', to: (links: Links) => links.fileManagement() },
  p: { screen: 'Projects', to: (links: Links) => links.projects() },
  r: { screen: 'Reports', to: (links: Links) => links.reports() },
  s: { screen: 'Search', to: (links: Links) => links.search() },
  t: { screen: 'Settings', to: (links: Links) => links.settings() },
} as const

export const screenOf = (letter: string): (typeof screenKeys)[keyof typeof screenKeys] | undefined =>
  Object.hasOwn(screenKeys, letter) ? screenKeys[letter as keyof typeof screenKeys] : undefined

const isApple = /mac|iphone|ipad/i.test(navigator.userAgent)
export const paletteKeys = [isApple ? '⌘' : 'Ctrl', 'K']

type KeyDescription = { keys: string[]; words: string }

/** All keyboard shortcuts with descriptions. */
export const keyDescriptions: { title: string; keys: KeyDescription[] }[] = [
  {
    title: 'Everywhere',
    keys: [
      { keys: paletteKeys, words: 'Commands' },
      { keys: ['/'], words: 'Search' },
      { keys: ['['], words: 'Older snapshot' },
      { keys: [']'], words: 'Newer snapshot' },
      { keys: ['?'], words: 'This list' },
      { keys: ['Esc'], words: 'Close, then clear the selection' },
    ],
  },
  {
    title: 'Go to',
    keys: Object.entries(screenKeys).map(([letter, { screen }]) => ({ keys: ['g', letter], words: screen })),
  },
  {
    title: 'In lists and trees',
    keys: [
      { keys: ['j'], words: 'Next row' },
      { keys: ['k'], words: 'Previous row' },
      { keys: ['x'], words: 'Select the row' },
      { keys: ['Enter'], words: 'Open the row' },
      { keys: ['m'], words: 'Map of the folder, in File Management' },
    ],
  },
  {
    title: 'In conditions',
    keys: [
      { keys: ['Alt', '↑'], words: 'Move up' },
      { keys: ['Alt', '↓'], words: 'Move down' },
      { keys: ['Ctrl', 'Z'], words: 'Undo' },
      { keys: ['Ctrl', 'Shift', 'Z'], words: 'Redo' },
    ],
  },
]
