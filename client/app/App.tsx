import { MantineProvider, localStorageColorSchemeManager } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { Router, useLocation } from 'wouter'
import { ownerFilesPath } from '#events/policies/ownerFiles.ts'
import { signInPath } from '#events/users/session.ts'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import { productName } from '#client/ui/productName.ts'
import type { RememberedKey } from '#client/ui/remembered.ts'
import { theme } from '#client/ui/theme/theme.ts'
import { Tooltips } from '#client/ui/tooltip/Tooltips.tsx'
import { cssVariablesResolver } from '#client/ui/theme/variables.ts'
import { basePath } from './place/basePath.ts'
import { renewOutdated } from './build.ts'
import { goLive } from './live/live.state.ts'
import { versions } from './live/versions.state.ts'
import { reloadNightly } from './reload/nightlyReload.ts'
import { PartBoundary } from './PartBoundary.tsx'
import { ConfirmIdentityOnceAsked } from './confirmation/ConfirmIdentityOnceAsked.tsx'
import { loadSession, session } from './session.state.ts'
import { Shell } from './shell/Shell.tsx'
import { ShellFrame } from './shell/ShellFrame.tsx'
import { toasts } from './toasts/toasts.ts'
import classes from './App.module.css'

const Toasts = lazy(() => import('./toasts/Toasts.tsx').then((m) => ({ default: m.Toasts })))

type AppProps = {
  signIn: ReactNode
  /** Page of an owner's files, which needs no session. */
  ownerFiles: ReactNode
  /** Page for users who signed in with a one-time password. */
  ownPassword: ReactNode
  ownSecondFactor: ReactNode
  /** Routes, rendered inside the shell. */
  screens: ReactNode
}

/** Provides theme, toasts and session to all screens. */
export function App(props: AppProps) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
      withGlobalClasses={false}
    >
      <Router base={basePath}>
        <SessionGate {...props} />
      </Router>
      <ConfirmIdentityOnceAsked />
      <ToastsOnceThere />
      <Tooltips />
    </MantineProvider>
  )
}

function ToastsOnceThere() {
  const { hadAny } = useSnapshot(toasts)
  return (
    <PartBoundary>
      <Suspense fallback={null}>{hadAny && <Toasts />}</Suspense>
    </PartBoundary>
  )
}

function SessionGate({ signIn, ownerFiles, ownPassword, ownSecondFactor, screens }: AppProps) {
  const { user, error } = useSnapshot(session)
  const [path] = useLocation()
  const isSignIn = path.replace(/\/+$/, '') === signInPath
  useEffect(() => arriveAt(path), [path])

  if (path.startsWith(ownerFilesPath)) return <Suspense fallback={null}>{ownerFiles}</Suspense>
  if (isSignIn) return <Suspense fallback={null}>{signIn}</Suspense>
  if (user?.mustChangePassword) return <Suspense fallback={null}>{ownPassword}</Suspense>
  if (user?.mustSetUpSecondFactor) return <Suspense fallback={null}>{ownSecondFactor}</Suspense>
  // A change of limits empties the screen: it may show files that the user no longer sees.
  if (user) return <SignedIn key={user.limits?.version}>{screens}</SignedIn>
  if (!error) return <ShellFrame />
  return (
    <main className={classes.unreachable}>
      <h1>{productName}</h1>
      <Failure error={error} retry={() => void loadSession()} />
    </main>
  )
}

function arriveAt(path: string) {
  void renewOutdated()
  if (path !== signInPath && !path.startsWith(ownerFilesPath) && !session.user) void loadSession()
}

function SignedIn({ children }: { children: ReactNode }) {
  useEffect(() => goLive(() => void loadSession()), [])
  const { all } = useSnapshot(versions)
  useEffect(() => {
    if (all !== undefined) void loadSession()
  }, [all])
  useEffect(() => reloadNightly(), [])
  return <Shell>{children}</Shell>
}

/** `scheme.js` reads the same key before the first paint. */
const colorSchemeManager = localStorageColorSchemeManager({ key: 'colorScheme' satisfies RememberedKey })

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

/** Nonce for inline style elements, as the content security policy requires. */
const styleNonce = (): string => nonce

// react-remove-scroll, which locks scrolling below dialogs, reads the nonce here.
Object.assign(globalThis, { __webpack_nonce__: nonce })
