/** Sockets of each user and wall display on this replica, by the key of their share. */
const sockets = new Map<string, number>()

export const openPagesOf = (key: string): number => sockets.get(key) ?? 0

/** Counts a socket until it closes. */
export function countPage(key: string, socket: { once(event: 'close', listener: () => void): unknown }): void {
  sockets.set(key, openPagesOf(key) + 1)
  socket.once('close', () => {
    const rest = openPagesOf(key) - 1
    if (rest > 0) sockets.set(key, rest)
    else sockets.delete(key)
  })
}
