import { readCertificates, trustCertificates } from './certificates.ts'
import { findMemoryLimit, type MemoryLimit } from './memory.ts'
import { hostOfProxy, type ProxySettings, readProxies } from './proxy.ts'
import { findTimeZone, type TimeZone } from './timeZone.ts'

/** Facts about the machine that a process determined when it started, and their sources. */
export type Machine = {
  timeZone: TimeZone
  memory: MemoryLimit
  proxies: ProxySettings
  /** Variables that add certificate authorities. */
  certificates: string[]
}

let known: Machine | undefined

/** The facts, determined at the first call. Throws a sentence that names the variable with an unusable value. */
export const machine = (): Machine => (known ??= determine(process.env))

/**
 * Determines the facts, and sets what this process and its children take from the environment: the time zone of dates,
 * and the trusted authorities.
 */
function determine(env: NodeJS.ProcessEnv): Machine {
  const timeZone = findTimeZone({ env })
  env['TZ'] = timeZone.name
  const certificates = readCertificates(env)
  trustCertificates(certificates)
  return { timeZone, memory: findMemoryLimit(), proxies: readProxies(env), certificates }
}

/** The facts in words, without passwords, for the log and for administrators. */
export function describeMachine({ timeZone, memory, proxies, certificates }: Machine) {
  const { http, https } = proxies
  const uses = [https && `${hostOfProxy(https)} (${https.variable})`, http && `${hostOfProxy(http)} (${http.variable})`]
  return {
    timeZone: timeZone.name,
    timeZoneSource: timeZone.source,
    memoryBytes: memory.bytes,
    memorySource: memory.source,
    proxies: [...new Set(uses.filter((use) => use !== undefined))],
    certificates,
  }
}

/** Variables that a child process needs in order to determine the same facts. */
export const machineVariables = (env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => inherited.test(name)))

const inherited = /^(TZ|(HTTPS?|ALL|NO)_PROXY|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/i
