import {
  ActionIcon,
  Button,
  Checkbox,
  Input,
  InputWrapper,
  createTheme,
  type MantineColorsTuple,
  type MenuProps,
  type PopoverProps,
} from '@mantine/core'
import { roles } from './roles.ts'

const everyShade = (c: string): MantineColorsTuple => [c, c, c, c, c, c, c, c, c, c]

const control = { '--input-height': '2rem', '--input-fz': '0.8125rem', '--input-size': '2rem' }

const popoverProps = { shadow: 'md', offset: 4 } satisfies Partial<PopoverProps>
/** Menus are rendered in place instead of a portal, so that landmarks contain them. */
const menuProps = {
  ...popoverProps,
  withinPortal: false,
  withInitialFocusPlaceholder: false,
} satisfies Partial<MenuProps>

/** Sizes and typography. Colors come from the roles; each Mantine palette has a single shade. */
export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: 6,
  colors: { accent: everyShade(roles.light['accent-fill']), danger: everyShade(roles.light['danger-fill']) },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1.25rem', xl: '1.5rem' },
  lineHeights: { xs: '1.45', sm: '1.45', md: '1.45', lg: '1.3', xl: '1.2' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '6px', xl: '6px' },
  defaultRadius: 'sm',
  breakpoints: { xs: '30em', sm: '48em', md: '64em', lg: '90em', xl: '120em' },
  shadows: {
    md: '0 4px 16px rgb(0 0 0 / 0.18)',
    lg: '0 8px 32px rgb(0 0 0 / 0.24)',
    xl: '0 8px 32px rgb(0 0 0 / 0.24)',
  },
  headings: { fontWeight: '600' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Button: Button.extend({
      defaultProps: { size: 'sm' },
      vars: (_theme, { size }) => ({
        root: size === 'sm' ? { '--button-height': '2rem', '--button-padding-x': '0.75rem' } : {},
      }),
    }),
    ActionIcon: ActionIcon.extend({
      defaultProps: { variant: 'subtle' },
      vars: () => ({ root: { '--ai-size': '1.75rem' } }),
    }),
    Input: Input.extend({ vars: () => ({ wrapper: control }) }),
    InputWrapper: InputWrapper.extend({
      defaultProps: { size: 'sm', inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    }),
    Checkbox: Checkbox.extend({ defaultProps: { size: 'xs', radius: 'xs' } }),
    // Named but not imported, since the first page doesn't load these components.
    Menu: { defaultProps: menuProps },
    Popover: { defaultProps: popoverProps },
  },
})
