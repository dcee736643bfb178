import { lookup as lookUp, type LookupAddress } from 'node:dns'
import { blockedAs } from '#events/node/blockedAddresses.ts'
import { machine } from '#events/node/index.ts'
import { proxyFor } from '#events/node/proxy.ts'
import { isRefusedAddress, RefusedAddress } from '../../http/addresses.ts'
import { newTransport, type Request, type TransportOptions } from '../../http/transport.ts'
import { FileFailed } from '../../../actions/sourceFile.ts'

/**
 * Carries requests to addresses that Iconik chose. Internal addresses are refused when a name is resolved for a connection, unless
 * Iconik itself is on one. Names that a proxy resolves are looked up before, if this machine knows them.
 */
export function newUploadTransport(iconik: URL, options: TransportOptions) {
  const resolve = options.resolve ?? lookUp
  const addressesOf = (host: string) =>
    new Promise<string[]>((done) => {
      const found = (error: Error | null, addresses: LookupAddress[]) =>
        done(error ? [] : addresses.map(({ address }) => address))
      resolve(bare(host), { all: true }, found)
    })
  const open = async () => {
    const own = await addressesOf(iconik.hostname)
    const isInternal = own.length > 0 && own.every((address) => blockedAs(address) === 'internal')
    const isRefused = isInternal ? isRefusedAddress : (address: string) => blockedAs(address) !== undefined
    return { ...newTransport({ ...options, isRefused }), isRefused }
  }
  let opened: ReturnType<typeof open> | undefined
  return {
    /** Throws `RefusedAddress`, or what the transport throws. */
    async handle(request: Request, abortSignal: AbortSignal) {
      const { handle, isRefused } = await (opened ??= open())
      const isByProxy = proxyFor(options.proxies ?? machine().proxies, request) !== undefined
      if (isByProxy && (await addressesOf(request.hostname)).some(isRefused)) throw new RefusedAddress(request.hostname)
      return handle(request, { abortSignal })
    },
    destroy: () => void opened?.then(({ destroy }) => destroy()),
  }
}

const bare = (host: string): string => host.replace(/^\[|\]$/g, '')

const methods: readonly string[] = ['PUT', 'POST']

/** The address of an upload. Throws `FileFailed` for one that is not sent: another method, or one without TLS while Iconik has it. */
export function uploadUrl({ method, url: text }: { method: string; url: string }, iconik: URL) {
  const url = URL.parse(text)
  if (!url) throw new FileFailed('Iconik returned an address for the upload that is not valid')
  if (!methods.includes(method))
    throw new FileFailed(`Iconik returned an upload by ${method.slice(0, 20)}. Only PUT and POST are sent`)
  const { protocol, hostname, host, port, pathname, search } = url
  if (protocol !== 'https:' && (protocol !== 'http:' || iconik.protocol !== 'http:'))
    throw new FileFailed(`Iconik returned an address for the upload without TLS, at ${hostname}. Only https is used`)
  return { protocol, hostname, host, port: port === '' ? undefined : Number(port), path: pathname + search }
}
