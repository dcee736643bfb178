import { join } from 'node:path'
import express, { type Express, type RequestHandler, Router } from 'express'
import { agentPackagePath } from '#events/agents.ts'
import { describeMachine, machine } from '#events/node/index.ts'
import { mcpPath } from '#events/users/apiTokens.ts'
import { ownerFilesPath } from '#events/policies/ownerFiles.ts'
import { logout } from '#events/users/session.ts'
import { commandLinePath } from '#events/users/apiTokens.ts'
import { wallPath } from '#events/wall.ts'
import { agentPackage } from '#server/workers/agents/index.ts'
import { apiDocs } from '#server/platform/api-docs/index.ts'
import { healthSwitch } from '#server/access/configurations/index.ts'
import { readProblems } from '#server/messages/health/index.ts'
import { answerProblems, answerWhenStoresHang } from '#server/platform/http/answerProblems.ts'
import { clientFiles, clientFolder } from '#server/platform/http/clientFiles.ts'
import { setPlace } from '#server/platform/http/place/placeIn.ts'
import { securityHeaders } from '#server/platform/http/headers.ts'
import { checkReads, checkStores, downStores } from '#server/platform/http/health.ts'
import { compressed } from '#server/platform/http/compressed.ts'
import { answerMetrics, isFromHere, measureRequests } from '#server/platform/http/metrics.ts'
import { mount } from '#server/platform/http/mount.ts'
import { answerProbe, livenessPath, readinessPath } from '#server/platform/http/probes.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Route } from '#server/platform/http/route.ts'
import { wallPage } from '#server/messages/wall/index.ts'
import { mcp } from '#server/questions/mcp/index.ts'
import { singleSignOn } from '#server/access/single-sign-on/index.ts'

/**
 * `askStoresEveryMs`: milliseconds after the start of a call, and between further checks, at which unresponsive stores
 * are looked for; also the timeout of a store.
 */
type Options = { client?: string; checkAnswers?: boolean; askStoresEveryMs?: number }

/** All of HTTP: the calls of all domains under `/api`, health and metrics, and the client for everything else. */
export function createApp(platform: Platform, routes: readonly Route[], options: Options = {}): Express {
  const { client = clientFolder, checkAnswers = inDevelopment, askStoresEveryMs = 10_000 } = options
  const down = async (timeoutMs?: number) => downStores(await checkReads(platform, timeoutMs))
  const frame = { db: platform.db, bundles: platform.config.bundles, checkAnswers }
  const app = express()
  app.disable('x-powered-by').disable('etag').set('trust proxy', platform.config.trustedProxies)
  app.get([livenessPath, readinessPath], answerProbe)
  app.use(measureRequests, setPlace(platform), securityHeaders())
  app.get('/actuator/health', health(platform))
  app.get('/actuator/prometheus', answerMetrics(platform.db))
  app.use('/actuator', unknownPage)

  app.use(answerWhenStoresHang(() => down(askStoresEveryMs), askStoresEveryMs))
  app.use(singleSignOn(platform))
  const api = Router()
  api.use(compressed)
  api.use((_, res, next) => void (res.set('Cache-Control', 'no-store'), next()))
  mount(api, routes, frame)
  api.use('/docs', apiDocs())
  api.use(() => {
    throw new Problem(404, 'There is no such call')
  })
  app.use('/api', api)
  mount(
    app,
    routes.filter(({ endpoint }) => endpoint === logout),
    frame,
  )

  app.use(mcpPath, mcp(routes, frame))
  // Clients of the protocol look here for a way to sign in, and must not get the page of the client.
  app.use('/.well-known', unknownPage)
  app.use(agentPackagePath, agentPackage(platform))
  app.get(commandLinePath, (_, res) => res.set('Cache-Control', 'no-cache').type('js').sendFile(commandLine, anyFolder))
  app.get(wallPath, wallPage(platform))
  app.get(`${ownerFilesPath}:token`, withoutTraces)
  app.use(clientFiles(client, platform.config))
  app.use(unknownPage)
  app.use(answerProblems({ log: platform.log, downStores: () => down() }))
  return app
}

/** Built by `deploy/cli`. The checkout may be in a folder whose name begins with a dot. */
const commandLine = join(import.meta.dirname, 'platform/cli/dataintell')
const anyFolder = { dotfiles: 'allow' } as const

const inDevelopment = ['test', 'development'].includes(process.env['NODE_ENV'] ?? '')

const unknownPage: RequestHandler = () => {
  throw new Problem(404, 'There is no such page')
}

/** The address of the page is a secret: neither other servers nor search engines get it. */
const withoutTraces: RequestHandler = (_, res, next) => {
  res.set('Referrer-Policy', 'no-referrer').set('X-Robots-Tag', 'noindex')
  next()
}

function health(platform: Platform): RequestHandler {
  const asksStores = healthSwitch(platform.db)
  const { settingsFolder } = platform
  return async (req, res) => {
    if (!(await asksStores())) return void res.json({ status: 'UP', components: {} })
    const components = await checkStores(platform)
    const isUp = downStores(components).length === 0
    const problems = isUp ? (await readProblems(platform.db)).map(({ key }) => key) : []
    const here = isFromHere(req) ? { machine: describeMachine(machine()), settingsFolder } : {}
    res.status(isUp ? 200 : 503).json({ status: isUp ? 'UP' : 'DOWN', components, problems, ...here })
  }
}
