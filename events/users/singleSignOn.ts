/**
 * Paths to the single sign-on provider, back from it, and to sign out there: browser navigation, not API calls. The
 * provider itself sends its logout tokens to `backChannelLogout`.
 */
export const singleSignOnPaths = {
  signIn: '/api/oidc/sign-in',
  callback: '/api/oidc/callback',
  signOut: '/api/oidc/sign-out',
  backChannelLogout: '/api/oidc/back-channel-logout',
} as const

/** Query parameter of `signIn`: the provider has to ask for proof, even if the user is signed in there. */
export const againParameter = 'again'

/** Messages of the sign-in screen for failed single sign-ons, by the `problem` in its URL. */
export const singleSignOnProblems = {
  unreachable: 'The single sign-on cannot be reached. Sign in with a password of this product, or try again later.',
  notFound:
    'No OpenID Connect configuration was found at the address of the single sign-on. An administrator must check OIDC_ISSUER.',
  otherIssuer:
    'The single sign-on names another issuer than OIDC_ISSUER. Administrators see both in this product and in its log.',
  refusedClient:
    'The single sign-on refuses this product. An administrator must check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.',
  certificate: 'The certificate of the single sign-on is not trusted by this server. An administrator must check it.',
  clock: 'The clocks of the single sign-on and of this server differ. An administrator must correct them.',
  denied: 'The single sign-on denied access to this product. Ask its administrator.',
  unconfirmed: 'The single sign-on did not confirm who you are. Try again.',
  disabled: 'Your account is disabled. Ask an administrator.',
  nameTaken: 'Your name belongs to another account here. Ask an administrator.',
  failed: 'The single sign-on failed. Try again.',
} as const
export type SingleSignOnProblem = keyof typeof singleSignOnProblems
