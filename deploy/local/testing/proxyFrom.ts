import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * Forwards connections to an address with another source address of this machine, such as 127.0.0.3. Listens on the
 * host of the target address, on its own port. `newest` is the last forwarded connection.
 */
export async function proxyFrom(localAddress: string, to: string) {
  const { protocol, hostname, port: target } = new URL(to)
  const passed: Socket[] = []
  const server = createServer((near) => {
    const far = connect({ host: hostname, port: Number(target), localAddress })
    const end = () => void (near.destroy(), far.destroy())
    for (const side of [near, far]) side.setNoDelay(true).on('error', end).on('close', end)
    near.pipe(far).pipe(near)
    passed.push(far)
  }).listen(0, hostname)
  await once(server, 'listening')
  onTestFinished(async () => {
    server.close()
    for (const far of passed) far.destroy()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  return { url: `${protocol}//${hostname}:${port}`, newest: () => passed.at(-1) }
}
