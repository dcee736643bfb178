import type { RequestListener } from 'node:http'

/**
 * For supervisors that restart a process which doesn't answer. Also answers during the start, so that none ends a long
 * migration.
 */
export const livenessPath = '/actuator/health/liveness'

/**
 * For load balancers. Answers once the server is ready, also while a store is down: then every server is without it, and
 * users see which one is down instead of no product.
 */
export const readinessPath = '/actuator/health/readiness'

/** Answers a probe without a request to any store. */
export const answerProbe: RequestListener = (_, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
  response.end('{"status":"UP"}')
}
