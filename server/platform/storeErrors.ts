/** Operating system error codes for a peer that is not reachable, or no longer. */
const unreachable = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH']
/** Postgres: connection lost (class 08), shutting down or starting up, out of connections, disk or memory. */
const postgresDown = /^(08...|57P0[123]|53...)$/
const natsDown = ['CONNECTION_CLOSED', 'CONNECTION_DRAINING', 'CONNECTION_REFUSED', 'DISCONNECT', 'TIMEOUT', '503']
const connectionLost = /connection terminated|connection ended|timeout exceeded when trying to connect|socket hang up/i

type Coded = { code?: unknown; message?: unknown; errors?: unknown; cause?: unknown }

/** Returns whether an error means that a store is down or its connection failed. */
export function isStoreLost(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, message, errors, cause } = error as Coded
  const known = [...unreachable, ...natsDown].includes(String(code)) || postgresDown.test(String(code))
  if (known || connectionLost.test(String(message))) return true
  return Array.isArray(errors) ? errors.some(isStoreLost) : isStoreLost(cause)
}

/**
 * Postgres class 22: text with a zero character, a number out of range for its column; 54000: a text that is too long for
 * an index. No such input is ever valid.
 */
export const isRefusedValue = (error: unknown): boolean => isPostgresError(error, /^(22...|54000)$/)

/** Postgres 40001 and 40P01: the transaction was ended because it and another one waited for each other. */
export const isDeadlock = (error: unknown): boolean => isPostgresError(error, /^40(001|P01)$/)

/** Postgres class 23 and deadlocks: a concurrent change conflicts with this one. */
export const isLostRace = (error: unknown): boolean => isPostgresError(error, /^23...$/) || isDeadlock(error)

const isPostgresError = (error: unknown, codes: RegExp): boolean =>
  error instanceof Error && 'severity' in error && 'code' in error && codes.test(String(error.code))
