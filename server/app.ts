import express, { type Express, type RequestHandler, Router } from 'express'
import { login, logout } from '#events/session.ts'
import { changeOwnPassword } from '#events/users.ts'
import { healthSwitch } from '#server/configurations/index.ts'
import { answerProblems } from '#server/platform/answerProblems.ts'
import { clientFiles, clientFolder } from '#server/platform/clientFiles.ts'
import { docs } from '#server/platform/docs.ts'
import { securityHeaders } from '#server/platform/headers.ts'
import { checkStores, downStores } from '#server/platform/health.ts'
import { answerMetrics, measureRequests } from '#server/platform/metrics.ts'
import { mount } from '#server/platform/mount.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Route } from '#server/platform/route.ts'
import { limitOwnPassword, limitSignIns, limitTokens, signInLimits } from '#server/platform/signInLimit.ts'
import { singleSignOn } from '#server/single-sign-on/index.ts'

type Options = { client?: string; limits?: typeof signInLimits; checkAnswers?: boolean }

/** The whole of HTTP: the calls of all domains below `/api`, health and metrics, and the client for all else. */
export function createApp(platform: Platform, routes: readonly Route[], options: Options = {}): Express {
  const { client = clientFolder, limits = signInLimits, checkAnswers = inDevelopment } = options
  const frame = { db: platform.db, bundles: platform.config.bundles, checkAnswers }
  const app = express()
  app.disable('x-powered-by').disable('etag').set('trust proxy', platform.config.trustedProxies)
  app.use(measureRequests, securityHeaders())
  app.get('/actuator/health', health(platform))
  app.get('/actuator/prometheus', answerMetrics)
  app.use('/actuator', unknownPage)

  app.use(singleSignOn(platform))
  const api = Router()
  api.use((_, res, next) => void (res.set('Cache-Control', 'no-store'), next()))
  api.use(limitTokens(limits))
  api.post(login.path, express.json({ limit: '10kb' }), limitSignIns(limits))
  api.put(changeOwnPassword.path, limitOwnPassword(limits))
  mount(api, routes, frame)
  api.use('/docs', docs(routes.map(({ endpoint }) => endpoint)))
  api.use(() => {
    throw new Problem(404, 'There is no such call')
  })
  app.use('/api', api)
  mount(
    app,
    routes.filter(({ endpoint }) => endpoint === logout),
    frame,
  )

  app.use(clientFiles(client))
  app.use(unknownPage)
  const down = async () => downStores(await checkStores(platform))
  app.use(answerProblems({ log: platform.log, downStores: down }))
  return app
}

const inDevelopment = ['test', 'development'].includes(process.env['NODE_ENV'] ?? '')

const unknownPage: RequestHandler = () => {
  throw new Problem(404, 'There is no such page')
}

function health(platform: Platform): RequestHandler {
  const asksStores = healthSwitch(platform.db)
  return async (_, res) => {
    if (!(await asksStores())) return void res.json({ status: 'UP', components: {} })
    const components = await checkStores(platform)
    const isUp = downStores(components).length === 0
    res.status(isUp ? 200 : 503).json({ status: isUp ? 'UP' : 'DOWN', components })
  }
}
