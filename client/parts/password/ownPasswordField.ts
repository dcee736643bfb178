import { session } from '#client/app/session.state.ts'

/** Where a form asks for the caller's own password again; those of a single sign-on have none here. */
export const ownPasswordField = {
  name: 'ownPassword',
  label: 'Your own password',
  kind: 'secret',
  autoComplete: 'current-password',
  description: 'Asked again in case this browser was left open.',
  isShown: (_: unknown, edited: unknown) => edited === 'new' && session.user?.isOfProvider !== true,
} as const
