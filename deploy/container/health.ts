import { globSync, readFileSync } from 'node:fs'

/**
 * `dataintell health [--ready]`, the health check of the image. Exits with 0 while the program of this container works, also
 * during a start that migrates its stores for an hour: whoever replaces an unhealthy container would interrupt that each time.
 * With `--ready` exits with 0 only if the server answers calls, with all its stores. Prints the answer.
 */
const isReadyWanted = process.argv.includes('--ready')

/** Milliseconds for the answer, less than the health check's own limit. */
const timeoutMs = 8_000

const running = globSync('/proc/[0-9]*/cmdline').map(commandLine)
const runs = (program: string) => running.some((line) => line.includes(program))
const isAgent = runs('agent/main.ts') && !runs('server/main.ts') && !runs('local/supervise.ts')

// An agent listens on no port. Its watchdog ends it when it hangs.
if (isAgent) process.exit(0)
try {
  const response = await fetch(`http://${host()}:${process.env['PORT'] || 8080}/actuator/health`, {
    signal: AbortSignal.timeout(timeoutMs),
  })
  console.log((await response.text()).slice(0, 1_000))
  process.exit(response.ok || !isReadyWanted ? 0 : 1)
} catch (error) {
  console.log(error instanceof Error ? (error.cause ?? error) : error)
  process.exit(1)
}

/** Address at which this container reaches its own server. */
function host(): string {
  const listens = process.env['HOST'] || '127.0.0.1'
  if (['0.0.0.0', '::', '[::]'].includes(listens)) return '127.0.0.1'
  return listens.includes(':') && !listens.startsWith('[') ? `[${listens}]` : listens
}

function commandLine(file: string): string {
  try {
    return readFileSync(file, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
