import { session } from '#client/app/session.state.ts'

/** Field that confirms a change with the user's own password. Users with single sign-on have none. */
export const ownPasswordField = {
  name: 'ownPassword',
  label: 'Your own password',
  kind: 'secret',
  autoComplete: 'current-password',
  description: 'Required in case this browser was left unattended.',
  isShown: (_: unknown, edited: unknown) => edited === 'new' && session.user?.isOfProvider !== true,
} as const
