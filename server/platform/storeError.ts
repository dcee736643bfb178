/** Codes of the operating system that say that the other end of a connection is not there, or not any more. */
const unreachable = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH']
/** Postgres: connection lost (class 08), shutting down or starting up, out of connections, disk or memory. */
const postgresDown = /^(08...|57P0[123]|53...)$/
const natsDown = ['CONNECTION_CLOSED', 'CONNECTION_DRAINING', 'CONNECTION_REFUSED', 'DISCONNECT', 'TIMEOUT', '503']
const connectionLost = /connection terminated|connection ended|timeout exceeded when trying to connect|socket hang up/i

type Coded = { code?: unknown; message?: unknown; errors?: unknown; cause?: unknown }

/** Whether an error says that a store is down or that the way to it broke. */
export function isStoreLost(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, message, errors, cause } = error as Coded
  const known = [...unreachable, ...natsDown].includes(String(code)) || postgresDown.test(String(code))
  if (known || connectionLost.test(String(message))) return true
  return Array.isArray(errors) ? errors.some(isStoreLost) : isStoreLost(cause)
}

/** Postgres class 22: text with a zero character, a number beyond its column. No caller's input that fails so ever fits. */
export const isRefusedValue = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && 'code' in error && /^22...$/.test(String(error.code))

/** Postgres class 23, 40001 and 40P01: somebody else's change at the same moment stands against this one. */
export const isLostRace = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && 'code' in error && /^(23...|40001|40P01)$/.test(String(error.code))
