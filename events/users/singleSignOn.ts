/** Paths to the single sign-on provider, back from it, and to sign out there: browser navigation, not API calls. */
export const singleSignOnPaths = {
  signIn: '/api/oidc/sign-in',
  callback: '/api/oidc/callback',
  signOut: '/api/oidc/sign-out',
} as const

/** Messages of the sign-in screen for failed single sign-ons, by the `problem` in its URL. */
export const singleSignOnProblems = {
  unreachable: 'The single sign-on cannot be reached. Sign in with a password of this product, or try again later.',
  unconfirmed: 'The single sign-on did not confirm who you are. Try again.',
  disabled: 'Your account is disabled. Ask an administrator.',
  nameTaken: 'Your name belongs to another account here. Ask an administrator.',
  failed: 'The single sign-on failed. Try again.',
} as const
export type SingleSignOnProblem = keyof typeof singleSignOnProblems
