import { retrySpread } from '../systems/whileBusy.ts'

/** Scans of this process that use a server, and the time until which the server accepts no requests. */
type Server = { scans: number; heldUntilMs: number; spreadMs: number }

const servers = new Map<string, Server>()

/** A server that a scan uses until it leaves. `key` is that of `OpenedSystem`. */
export function joinServer(key: string) {
  const server = servers.get(key) ?? { scans: 0, heldUntilMs: 0, spreadMs: 0 }
  servers.set(key, server)
  server.scans++
  let hasLeft = false
  return {
    /** Part of a limit of the server for one of the scans that use it now: at least 1. */
    share: (limit: number): number => Math.max(1, Math.floor(limit / server.scans)),
    /** The server accepts no requests for this time. */
    hold(ms: number): void {
      const untilMs = performance.now() + ms
      if (untilMs <= server.heldUntilMs) return
      server.heldUntilMs = untilMs
      server.spreadMs = ms * retrySpread
    },
    /** Milliseconds that a new request of any scan has to wait; 0 for none. */
    waitMs(): number {
      const leftMs = server.heldUntilMs - performance.now()
      return leftMs > 0 ? leftMs + Math.random() * server.spreadMs : 0
    },
    leave(): void {
      if (hasLeft) return
      hasLeft = true
      // A scan that starts next waits as well.
      if (--server.scans === 0 && performance.now() >= server.heldUntilMs) servers.delete(key)
    },
  }
}
export type JoinedServer = ReturnType<typeof joinServer>
