/** What leads to the provider of the single sign-on, back from it, and out of it: addresses for a browser to go to, no calls. */
export const singleSignOnPaths = {
  signIn: '/api/oidc/sign-in',
  callback: '/api/oidc/callback',
  signOut: '/api/oidc/sign-out',
} as const

/** Why a single sign-on failed: the words of the sign-in screen, by the `problem` in its address. */
export const singleSignOnProblems = {
  unreachable: 'The single sign-on cannot be reached. Sign in with a password of this product, or try again later.',
  unconfirmed: 'The single sign-on did not confirm who you are. Try again.',
  disabled: 'Your account is disabled. Ask an administrator.',
  nameTaken: 'Your name belongs to another account here. Ask an administrator.',
  failed: 'The single sign-on failed. Try again.',
} as const
export type SingleSignOnProblem = keyof typeof singleSignOnProblems
