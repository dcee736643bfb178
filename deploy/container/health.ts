/**
 * `dataintell health [--ready]`, the health check of the image. Exits with 0 while the program of this container works, also
 * during a start that migrates its stores for an hour: replacing an unhealthy container would interrupt it each time.
 * With `--ready` exits with 0 only if the server answers calls, with all its stores. Prints the answer.
 */
const isReadyWanted = process.argv.includes('--ready')
const { AGENT_ID, HOST, PORT } = process.env

/** Milliseconds for the answer, less than the health check's own limit. */
const timeoutMs = 8_000

// An agent listens on no port. Its watchdog ends it when it hangs, and the container ends with it.
if (AGENT_ID) process.exit(0)
try {
  const address = `http://${reachable(HOST || '127.0.0.1')}:${PORT || 8080}/actuator/health`
  const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) })
  console.log((await response.text()).slice(0, 1_000))
  process.exit(response.ok || !isReadyWanted ? 0 : 1)
} catch (error) {
  console.log(error instanceof Error ? (error.cause ?? error) : error)
  process.exit(1)
}

/** The address at which this container reaches its own server. */
function reachable(host: string): string {
  if (['0.0.0.0', '::', '[::]'].includes(host)) return '127.0.0.1'
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}
