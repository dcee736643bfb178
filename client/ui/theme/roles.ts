/**
 * All colors of the product, by role. Style sheets use them as variables (`--text-2`), canvas and PDF use these
 * constants. Components never name a color directly.
 */
const dark = {
  canvas: '#0b0d11',
  surface: '#12151b',
  raised: '#1a1e26',
  border: '#272d37',
  'control-border': '#626d7d',
  text: '#e6e9ef',
  'text-2': '#a9b1bd',
  'text-3': '#8b95a5',
  accent: '#5b9dff',
  hover: '#1e232c',
  selected: '#16243d',
  'accent-fill': '#1f63de',
  'accent-fill-hover': '#1a55c0',
  'danger-fill': '#c02626',
  'danger-fill-hover': '#a61f1f',
  'on-fill': '#ffffff',
  'on-bright': '#000000',
  'usage-ok': '#4c8dff',
  'usage-warn': '#e5b80b',
  'usage-warn-text': '#e5b80b',
  'usage-critical': '#ff6161',
  good: '#3fb950',
  attention: '#f0883e',
  'category-1': '#64b1fe',
  'category-2': '#e8a71b',
  'category-3': '#2fd8c0',
  'category-4': '#8461ce',
  'category-5': '#838022',
  'category-6': '#e2789b',
  other: '#8b95a5',
  'age-1': '#a9ccff',
  'age-2': '#5b9dff',
  'age-3': '#2f76d9',
  'age-4': '#2259a8',
  'age-5': '#1b3f73',
}
export type Role = keyof typeof dark

const light: Record<Role, string> = {
  canvas: '#f5f6f8',
  surface: '#ffffff',
  raised: '#ffffff',
  border: '#e1e5ea',
  'control-border': '#858f9c',
  text: '#14181f',
  'text-2': '#48525f',
  'text-3': '#626c7a',
  accent: '#1d5fd6',
  hover: '#eef1f5',
  selected: '#f0f5ff',
  'accent-fill': '#1f63de',
  'accent-fill-hover': '#1a55c0',
  'danger-fill': '#b91c1c',
  'danger-fill-hover': '#991717',
  'on-fill': '#ffffff',
  'on-bright': '#000000',
  'usage-ok': '#2466e0',
  'usage-warn': '#b88600',
  'usage-warn-text': '#7a5a00',
  'usage-critical': '#b91c1c',
  good: '#1a7f37',
  attention: '#b0520a',
  'category-1': '#374db5',
  'category-2': '#c96a0a',
  'category-3': '#2f928a',
  'category-4': '#9479ea',
  'category-5': '#6b4c00',
  'category-6': '#7c165c',
  other: '#626c7a',
  'age-1': '#123f92',
  'age-2': '#2463d4',
  'age-3': '#4f8aea',
  'age-4': '#86b0f5',
  'age-5': '#bcd4fb',
}

export const roles = { light, dark }

/** CSS variable of a role. */
export const colour = (role: Role): string => `var(--${role})`

/** Roles as CSS variables, for both schemes. */
export function rolesAsCss(): string {
  const variables = (scheme: Record<string, string>) =>
    Object.entries(scheme)
      .map(([role, value]) => `--${role}: ${value};`)
      .join(' ')
  return [
    `:root[data-mantine-color-scheme='light'] { color-scheme: light; ${variables(light)} }`,
    `:root[data-mantine-color-scheme='dark'] { color-scheme: dark; ${variables(dark)} }`,
  ].join('\n')
}
