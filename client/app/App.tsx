import { MantineProvider } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { useLocation } from 'wouter'
import { Failure } from '../ui/Failure.tsx'
import { productName } from '../ui/productName.ts'
import { isOutdated } from './build.ts'
import { colorSchemeManager } from './colourScheme.ts'
import { goLive } from './live/live.state.ts'
import { styleNonce } from './nonce.ts'
import { reloadNightly } from './nightlyReload.ts'
import { signInPath } from '#events/session.ts'
import { loadSession, session } from './session.state.ts'
import { Shell } from './shell/Shell.tsx'
import { ShellFrame } from './shell/ShellFrame.tsx'
import { theme } from './theme/theme.ts'
import { cssVariablesResolver } from './theme/variables.ts'
import { toasts } from './toasts.ts'
import classes from './App.module.css'

const Toasts = lazy(() => import('./Toasts.tsx').then((m) => ({ default: m.Toasts })))

type AppProps = {
  signIn: ReactNode
  /** For those who came with a one-time password. */
  ownPassword: ReactNode
  /** The routes, drawn inside the shell. */
  screens: ReactNode
}

/** Everything around the screens: theme, messages, and the session. */
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
      <SessionGate {...props} />
      <ToastsOnceThere />
    </MantineProvider>
  )
}

function ToastsOnceThere() {
  const { hadAny } = useSnapshot(toasts)
  return <Suspense fallback={null}>{hadAny && <Toasts />}</Suspense>
}

function SessionGate({ signIn, ownPassword, screens }: AppProps) {
  const { user, error } = useSnapshot(session)
  const [path] = useLocation()
  const isSignIn = path === signInPath
  useEffect(() => arriveAt(path), [path])

  if (isSignIn) return <Suspense fallback={null}>{signIn}</Suspense>
  if (user?.mustChangePassword) return <Suspense fallback={null}>{ownPassword}</Suspense>
  if (user) return <SignedIn>{screens}</SignedIn>
  if (!error) return <ShellFrame />
  return (
    <main className={classes.unreachable}>
      <h1>{productName}</h1>
      <Failure error={error} retry={() => void loadSession()} />
    </main>
  )
}

function arriveAt(path: string) {
  if (isOutdated()) location.reload()
  if (path !== signInPath && !session.user) void loadSession()
}

function SignedIn({ children }: { children: ReactNode }) {
  useEffect(() => goLive(() => void loadSession()), [])
  useEffect(() => reloadNightly(), [])
  return <Shell>{children}</Shell>
}
