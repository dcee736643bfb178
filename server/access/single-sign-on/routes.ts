import express, { type Request, type Response, Router } from 'express'
import { ownPath, sessionCookie, signInPath } from '#events/users/session.ts'
import { againParameter, singleSignOnPaths } from '#events/users/singleSignOn.ts'
import { cookiesOf } from '#server/platform/http/cookies.ts'
import { placeIn } from '#server/platform/http/place/placeIn.ts'
import { change } from '#server/platform/log/change.ts'
import type { Platform } from '#server/platform/platform.ts'
import { beginSession } from '#server/access/session/index.ts'
import type { SingleSignOn } from '#server/platform/singleSignOn.ts'
import { accountOf, nameOf, takeAccount } from './account.ts'
import { keepAttempt, takeAttempt } from './attemptCookie.ts'
import { backChannelLogout } from './backChannelLogout.ts'
import { provedAtOf, sessionOf } from './claims.ts'
import { forgetFailure, keepFailure } from './findings.ts'
import { type Provider, newAttempt, openProvider, readClaims, signInAddress, signOutAddress } from './provider.ts'
import { keepProviderSession } from './refreshSessions.ts'
import { SignInRefusedError } from './signInRefusedError.ts'

type Services = Pick<Platform, 'db' | 'log' | 'live' | 'config'>
type SignInDeps = Services & { settings: SingleSignOn; provider: Provider }

/**
 * The addresses that send a browser to the provider, receive it back, and sign it out, and the one at which the provider
 * reports that it signed a user out; none without a provider.
 */
export function singleSignOn(platform: Services): Router {
  const router = Router()
  const settings = platform.config.singleSignOn
  if (!settings) return router
  const signing = { ...platform, settings, provider: openProvider(settings) }
  router.use('/api/oidc', (_, res, next) => void (res.set('Cache-Control', 'no-store'), next()))
  router.get(singleSignOnPaths.signIn, orSay(signing, leadToProvider))
  router.get(singleSignOnPaths.callback, orSay(signing, takeBack))
  router.get(singleSignOnPaths.signOut, orSay(signing, leadOut))
  const form = express.urlencoded({ extended: false, limit: maxFormBytes })
  router.post(singleSignOnPaths.backChannelLogout, form, backChannelLogout(signing))
  return router
}

/** Maximum size of the provider's form, in bytes: it has no sign-in, and a token has a few hundred. */
const maxFormBytes = 10_000

/** Address of one of our paths for the provider, which sends the browser there. */
function addressOf(req: Request, res: Response, path: string): string {
  const { origin, base } = placeIn(req, res)
  return `${origin}${base}${path}`
}

async function leadToProvider({ settings, provider }: SignInDeps, req: Request, res: Response) {
  const redirectTo = (res.locals['redirectTo'] = ownPath(req.query['redirectTo']))
  const attempt = newAttempt()
  const isAgain = req.query[againParameter] !== undefined
  const callback = addressOf(req, res, singleSignOnPaths.callback)
  const address = await signInAddress(await provider(), attempt, callback, { ...settings, isAgain })
  keepAttempt(req, res, { ...attempt, redirectTo })
  res.redirect(address.href)
}

async function takeBack({ settings, provider, ...services }: SignInDeps, req: Request, res: Response) {
  const attempt = takeAttempt(req, res)
  if (!attempt) throw new SignInRefusedError('unconfirmed')
  res.locals['redirectTo'] = attempt.redirectTo
  const { claims, userInfoFailure, refreshToken } = await readClaims(
    await provider(),
    attempt,
    new URL(addressOf(req, res, req.url)),
  )
  if (userInfoFailure) services.log.warn({ reason: userInfoFailure }, 'userinfo of the single sign-on failed')
  const account = accountOf(claims, settings)
  const cookies = cookiesOf(req, res)
  const address = (req.ip ?? '').replace(/^::ffff:/, '')
  const provedAt = provedAtOf(claims)
  const from = { address, userAgent: req.get('user-agent') ?? null, old: cookies.get(sessionCookie), provedAt }
  const by = { kind: 'provider', name: nameOf(account), address } as const
  const { missing } = account
  if (missing.length > 0) services.log.warn({ user: by.name, missing }, 'the single sign-on did not send all claims')
  const sessionId = await change(services, by, ['users', 'sessions'], async (made) => {
    await forgetFailure(made.trx)
    const sessionId = await beginSession(made.trx, await takeAccount(made, account), from)
    await keepProviderSession(made.trx, services.config, sessionId, { refreshToken, id: sessionOf(claims) })
    return sessionId
  })
  cookies.set(sessionCookie, sessionId)
  res.redirect(placeIn(req, res).base + attempt.redirectTo)
}

async function leadOut({ provider }: SignInDeps, req: Request, res: Response) {
  const address = signOutAddress(await provider(), addressOf(req, res, signInPath))
  res.redirect(address?.href ?? placeIn(req, res).base + signInPath)
}

/** A browser that followed a link must end on a page: the sign-in screen shows the error. */
const orSay =
  (signing: SignInDeps, lead: (signing: SignInDeps, req: Request, res: Response) => Promise<void>) =>
  async (req: Request, res: Response) => {
    try {
      await lead(signing, req, res)
    } catch (error) {
      const problem = error instanceof SignInRefusedError ? error.problem : 'failed'
      const { message, cause } = error as Error
      const reason = cause instanceof Error ? cause.message : message
      signing.log.warn({ problem, reason, address: req.ip }, 'a single sign-on failed')
      if (error instanceof SignInRefusedError) await keepFailure(signing.db, error)
      res.redirect(`${placeIn(req, res).base}${signInPath}?${new URLSearchParams({ problem, ...wanted(res) })}`)
    }
  }

/** The page the user wanted, so the sign-in screen can continue there. */
function wanted({ locals }: Response): { redirectTo?: string } {
  const redirectTo: unknown = locals['redirectTo']
  return typeof redirectTo === 'string' && redirectTo !== '/' ? { redirectTo } : {}
}
