import type { RequestHandler, Response } from 'express'
import { Counter, Gauge, Histogram, collectDefaultMetrics, register } from 'prom-client'
import type { Admitted } from './mount.ts'

collectDefaultMetrics()

const requests = new Histogram({
  name: 'dataintell_http_request_seconds',
  help: 'How long calls took, by declared path',
  labelNames: ['method', 'path', 'status'],
  buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10, 30],
})

/** Measures every call by its declared path; all that is no declared call counts as one. */
export const measureRequests: RequestHandler = (req, res: Response<unknown, Partial<Admitted>>, next) => {
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

/** A number that goes up and down, read when it is asked for. */
export const gauge = (name: string, help: string, read: () => number): Gauge =>
  new Gauge({
    name: `dataintell_${name}`,
    help,
    collect() {
      this.set(read())
    },
  })

/** All of them, as Prometheus reads them. */
export const answerMetrics: RequestHandler = async (_, res) => {
  res.type(register.contentType).send(await register.metrics())
}
