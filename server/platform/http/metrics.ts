import type { Request, RequestHandler, Response } from 'express'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics, register } from 'prom-client'
import { isLoopback } from '#events/node/loopback.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { Problem } from '#server/platform/problem.ts'
import { mayReadMetrics } from '#server/platform/callers/apiToken.ts'
import { tokenHeader } from '#server/platform/callers/visitor.ts'
import type { RequestLocals } from './mount.ts'

collectDefaultMetrics()
// Sums of the metrics by type, under names that Prometheus reserves for counters.
for (const what of ['handles', 'requests', 'resources']) register.removeSingleMetric(`nodejs_active_${what}_total`)

const requests = new Histogram({
  name: 'dataintell_http_request_seconds',
  help: 'How long calls took, by declared path',
  labelNames: ['method', 'path', 'status'],
  buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10, 30],
})

/** Measures every call by its declared path; all other requests count as one. */
export const measureRequests: RequestHandler = (req, res: Response<unknown, Partial<RequestLocals>>, next) => {
  const started = performance.now()
  res.once('close', () => {
    const path = res.locals.endpoint?.path ?? 'other'
    requests.observe({ method: req.method, path, status: res.statusCode }, (performance.now() - started) / 1_000)
  })
  next()
}

/** A number that only grows, such as rows ingested; names end in `_total`. */
export const counter = (name: string, help: string, labelNames: string[] = []): Counter =>
  new Counter({ name: `dataintell_${name}`, help, labelNames })

/** A number that goes up and down, read on request. */
export const gauge = (name: string, help: string, read: () => number): Gauge =>
  new Gauge({
    name: `dataintell_${name}`,
    help,
    collect() {
      this.set(read())
    },
  })

/** Values by labels; those that are unknown have no series. */
type Series = { labels: Record<string, string>; value: number | null | undefined }

/** Metrics with the names and sizes of data, which need a token. Proxies on this machine may not say that they forward requests. */
const ofData = new Registry()

/** Gauges of data by labels, read on request. A series ends when it isn't read again. */
export const gauges = (
  name: string,
  help: string,
  labelNames: readonly string[],
  read: () => Iterable<Series>,
): Gauge =>
  new Gauge({
    name: `dataintell_${name}`,
    help,
    labelNames,
    registers: [ofData],
    collect() {
      this.reset()
      for (const { labels, value } of read()) if (Number.isFinite(value)) this.set(labels, Number(value))
    },
  })

/**
 * Returns all metrics in the Prometheus format to API tokens of administrators, with the role for metrics or their own. Programs on this
 * machine get those of the process without a token. Throws 401 and 403.
 */
export const answerMetrics =
  (db: Db): RequestHandler =>
  async (req, res) => {
    const token = tokenHeader(req)
    if (token !== undefined) await checkToken(db, token)
    else if (!isFromHere(req))
      throw new Problem(401, 'Please send an API token with the role Metrics', { code: 'token' })
    const parts = [register, ...(token === undefined ? [] : [ofData])].map((registry) => registry.metrics())
    res.type(register.contentType).send((await Promise.all(parts)).join('\n'))
  }

/** True for requests from this machine, unless a proxy on it forwarded them. */
export const isFromHere = ({ socket, headers }: Request): boolean =>
  isLoopback(socket.remoteAddress ?? '') &&
  ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].every((name) => headers[name] === undefined)

async function checkToken(db: Db, token: string): Promise<void> {
  if (!(await mayReadMetrics(db, token)))
    throw new Problem(403, "You don't have permission to do this", { code: 'permission' })
}
