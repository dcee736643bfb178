import type { CSSVariablesResolver } from '@mantine/core'
import { type Role, colour } from './roles.ts'

const shared = {
  '--mantine-color-body': colour('canvas'),
  '--mantine-color-text': colour('text'),
  '--mantine-color-bright': colour('text'),
  '--mantine-color-dimmed': colour('text-2'),
  '--mantine-color-placeholder': colour('text-3'),
  '--mantine-color-anchor': colour('accent'),
  '--mantine-color-error': colour('usage-critical'),
  '--mantine-color-success': colour('good'),
  '--mantine-color-default': colour('surface'),
  '--mantine-color-default-hover': colour('hover'),
  '--mantine-color-default-color': colour('text'),
  '--mantine-color-default-border': colour('control-border'),
  '--mantine-color-disabled': colour('canvas'),
  '--mantine-color-disabled-color': colour('text-3'),
  '--mantine-color-disabled-border': colour('border'),
  '--mantine-color-accent-text': colour('accent'),
  '--mantine-color-accent-filled': colour('accent-fill'),
  '--mantine-color-accent-filled-hover': colour('accent-fill-hover'),
  '--mantine-color-accent-light': colour('hover'),
  '--mantine-color-accent-light-hover': colour('hover'),
  '--mantine-color-accent-light-color': colour('accent'),
  '--mantine-color-accent-outline': colour('accent'),
  '--mantine-color-accent-outline-hover': colour('hover'),
  '--mantine-color-danger-text': colour('usage-critical'),
  '--mantine-color-danger-filled': colour('danger-fill'),
  '--mantine-color-danger-filled-hover': colour('danger-fill-hover'),
  '--mantine-color-danger-light-color': colour('usage-critical'),
  '--mantine-color-danger-outline': colour('usage-critical'),
}

/** Mantine draws borders, hover states and dimmed text from these palettes. Each shade is mapped to a role. */
const shades = (palette: 'gray' | 'dark', roles: Role[]) =>
  Object.fromEntries(roles.map((role, shade) => [`--mantine-color-${palette}-${shade}`, colour(role)]))

const light = shades('gray', [
  'hover',
  'hover',
  'border',
  'border',
  'control-border',
  'text-3',
  'text-2',
  'text-2',
  'text',
  'text',
])
const dark = shades('dark', [
  'text',
  'text-2',
  'text-2',
  'text-3',
  'border',
  'hover',
  'raised',
  'surface',
  'hover',
  'canvas',
])

/** Overrides Mantine's variables, whose defaults lack sufficient contrast. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: { ...shared, ...light },
  dark: { ...shared, ...dark },
})
